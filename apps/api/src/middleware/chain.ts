import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import type { HttpEnv } from "./context.ts";
import type { LimitRate } from "./limit-rate.ts";
import { readIdempotencyKey } from "./read-idempotency-key.ts";

type Middleware = MiddlewareHandler<HttpEnv>;

/**
 * The middlewares of every route with an authenticated caller: authentication, rate limit, Idempotency-Key, and then the
 * input readers. No body is read for unauthenticated or rate-limited callers.
 */
export type Chain = (kind: "query" | "mutation", ...readers: Middleware[]) => Middleware;

export function createChain(authenticate: Middleware, limit: LimitRate): Chain {
  return (kind, ...readers) => every(authenticate, limit(kind), readIdempotencyKey, ...readers);
}
