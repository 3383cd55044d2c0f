import type { Operation } from "@cardbridge/operations";
import { createTokenBucket, type Rate, type TokenBucket } from "./token-bucket.ts";

/** Reads and submissions are counted apart: nobody who lists too much loses a submission. */
export type Kind = Operation["kind"];

/** What a platform is told of its limit. */
export interface Allowance {
  allowed: boolean;
  /** Seconds until a call is allowed again, where this one is not. */
  retryAfterSeconds: number;
  /** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
  headers: Record<string, string>;
}

export interface RateLimiter {
  /** Counts a call of a platform; undefined where there is no limit. */
  count(platformId: string, kind: Kind): Allowance | undefined;
}

/** How often a platform may call; undefined for as often as it likes. */
export type RateOf = (platformId: string, kind: Kind) => Rate | undefined;

const names: Record<Kind, string> = { query: "reads", mutation: "submissions" };

/** A token bucket for every platform and kind of call, in this process alone (gap G22). */
export function createRateLimiter(rateOf: RateOf, now?: () => number): RateLimiter {
  // Only platforms with a live key come this far: there are never many.
  const buckets = new Map<string, TokenBucket>();
  return {
    count(platformId, kind) {
      const rate = rateOf(platformId, kind);
      if (!rate) return undefined;
      const name = `${kind} ${platformId}`;
      const bucket = buckets.get(name) ?? createTokenBucket(rate, now);
      buckets.set(name, bucket);
      const allowed = bucket.take();
      const { left, secondsToNext } = bucket.state();
      return {
        allowed,
        retryAfterSeconds: secondsToNext,
        headers: {
          ratelimit: `"${names[kind]}";r=${left};t=${secondsToNext}`,
          "ratelimit-policy": `"${names[kind]}";q=${rate.calls};w=${rate.seconds}`,
        },
      };
    },
  };
}
