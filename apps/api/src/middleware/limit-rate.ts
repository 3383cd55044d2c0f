import { Failure, type LimitedKind } from "@cardbridge/domain";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import type { HttpEnv } from "./context.ts";

/** Counts a call of the caller's platform. Returns RATE_LIMITED if the platform exceeds its limit. */
export type CountCall = (c: Context<HttpEnv>, kind: LimitedKind) => Promise<Failure | undefined>;

/** Creates the middleware that limits a platform's calls of one kind. */
export type LimitRate = (kind: LimitedKind) => MiddlewareHandler<HttpEnv>;

export function callCounter(limiter: RateLimiter): CountCall {
  return async (c, kind) => {
    const allowance = await limiter.count(c.get("call").platformId, kind);
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
      const refusal = await count(c, kind);
      if (refusal) throw refusal;
      await next();
    });
}
