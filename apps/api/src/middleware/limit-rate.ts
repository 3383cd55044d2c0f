import { Failure } from "@cardbridge/domain";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Kind, RateLimiter } from "../rate-limits/rate-limiter.ts";
import type { HttpEnv } from "./context.ts";

/** Counts a call of the caller's platform. Returns RATE_LIMITED if the platform exceeds its limit. */
export type CountCall = (c: Context<HttpEnv>, kind: Kind) => Failure | undefined;

/** Creates the middleware that limits a platform's calls of one kind. */
export type LimitRate = (kind: Kind) => MiddlewareHandler<HttpEnv>;

export function callCounter(limiter: RateLimiter): CountCall {
  return (c, kind) => {
    const allowance = limiter.count(c.get("call").platformId, kind);
    c.set("allowance", allowance);
    if (allowance?.allowed !== false) return undefined;
    return new Failure("RATE_LIMITED", { retryAfterSeconds: allowance.retryAfterSeconds });
  };
}

/**
 * Counts a call before its body is read.
 * @throws Failure RATE_LIMITED.
 */
export function limitRate(count: CountCall): LimitRate {
  return (kind) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      const refusal = count(c, kind);
      if (refusal) throw refusal;
      await next();
    });
}
