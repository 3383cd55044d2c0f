import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";

/**
 * Reads the optional header Idempotency-Key, with or without double quotes (gap G20). The operation validates the key,
 * so that one response lists its violation with those of the input.
 */
export const readIdempotencyKey = createMiddleware<HttpEnv>(async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header !== undefined) c.set("call", { ...c.get("call"), idempotencyKey: unquoted(header) });
  await next();
});

function unquoted(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  return quoted?.replace(/\\(["\\])/g, "$1") ?? header;
}
