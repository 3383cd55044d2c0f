import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { addressOf } from "../../admission/head.ts";
import type { HttpEnv } from "./context.ts";

/**
 * Sets the call of a request that the gates admitted.
 * @throws the Failure of the gate that refused it.
 */
const admitted = createMiddleware<HttpEnv>(async (c, next) => {
  const { caller, failure, allowance, operation: slot } = c.env?.admission ?? {};
  c.set("allowance", allowance);
  if (failure) throw failure;
  if (!caller) throw new TypeError("The route is not behind the gates.");
  const { upload, ...identity } = caller;
  if (upload) c.set("upload", upload);
  c.set("call", {
    ...identity,
    requestId: c.get("requestId"),
    address: addressOf(c.env.incoming?.socket),
    signal: c.req.raw.signal,
    slot,
  });
  await next();
});

/**
 * Reads the optional header Idempotency-Key, with or without double quotes (gap G20). The operation validates the key,
 * so that one response lists its violation with those of the input.
 */
const readIdempotencyKey = createMiddleware<HttpEnv>(async (c, next) => {
  const header = c.req.header("idempotency-key");
  if (header !== undefined) c.set("call", { ...c.get("call"), idempotencyKey: unquoted(header) });
  await next();
});

/** The middlewares of every route with a caller: the gates' result, Idempotency-Key, and then the input readers. */
export function behindGates(...readers: MiddlewareHandler<HttpEnv>[]): MiddlewareHandler<HttpEnv> {
  return every(admitted, readIdempotencyKey, ...readers);
}

function unquoted(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  return quoted?.replace(/\\(["\\])/g, "$1") ?? header;
}
