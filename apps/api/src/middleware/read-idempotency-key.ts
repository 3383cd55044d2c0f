import { Failure } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";

const visible = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the optional header Idempotency-Key: 1 to 255 visible ASCII characters, with or without double quotes
 * (gap G20).
 * @throws Failure INVALID_INPUT.
 */
export const readIdempotencyKey = createMiddleware<HttpEnv>(async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header !== undefined) c.set("call", { ...c.get("call"), idempotencyKey: parse(header) });
  await next();
});

function parse(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted?.[1] === undefined ? header : quoted[1].replace(/\\(["\\])/g, "$1");
  if (visible.test(key)) return key;
  const message =
    "Send the header once, with 1 to 255 visible ASCII characters, with or without double quotes.";
  throw new Failure("INVALID_INPUT", {
    violations: [{ path: ["Idempotency-Key"], rule: "idempotency-key", message }],
  });
}
