import { Failure } from "@cardbridge/domain";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "../http/context.ts";
import type { Kind, RateLimiter } from "./rate-limiter.ts";

/** Makes the middleware that counts a platform's calls of one kind. */
export type LimitRate = (kind: Kind) => MiddlewareHandler<HttpEnv>;

/**
 * Counts a call before anything is read or done for it.
 * @throws Failure RATE_LIMITED.
 */
export function limitRate(limiter: RateLimiter): LimitRate {
  return (kind) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      const allowance = limiter.count(c.get("call").platformId, kind);
      c.set("allowance", allowance);
      if (allowance?.allowed === false) {
        throw new Failure("RATE_LIMITED", { retryAfterSeconds: allowance.retryAfterSeconds });
      }
      await next();
    });
}
