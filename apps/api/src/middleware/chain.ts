import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { admitted } from "./admitted.ts";
import type { HttpEnv } from "./context.ts";
import { readIdempotencyKey } from "./read-idempotency-key.ts";

/** The middlewares of every route with a caller: the gates' result, Idempotency-Key, and then the input readers. */
export function behindGates(...readers: MiddlewareHandler<HttpEnv>[]): MiddlewareHandler<HttpEnv> {
  return every(admitted, readIdempotencyKey, ...readers);
}
