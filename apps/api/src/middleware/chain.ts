import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import type { HttpEnv } from "./context.ts";
import type { LimitRate } from "./limit-rate.ts";
import { readIdempotencyKey } from "./read-idempotency-key.ts";

type Middleware = MiddlewareHandler<HttpEnv>;

/**
 * The middlewares of every route that runs an operation for a caller: authentication, rate limit, Idempotency-Key,
 * and then the readers of its input. Nothing is read for a caller who is unknown or over the limit.
 */
export type Chain = (kind: "query" | "mutation", ...readers: Middleware[]) => Middleware;

export function createChain(authenticate: Middleware, limit: LimitRate): Chain {
  return (kind, ...readers) => every(authenticate, limit(kind), readIdempotencyKey, ...readers);
}
