import type { Operation } from "@cardbridge/operations";
import { createTokenBucket, type Rate, type TokenBucket } from "./token-bucket.ts";

/** Reads and submissions have separate limits. */
export type Kind = Operation["kind"];

/** The state of a platform's limit. */
export interface Allowance {
  allowed: boolean;
  /** The seconds until the next call is allowed. */
  retryAfterSeconds: number;
  /** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
  headers: Record<string, string>;
}

export interface RateLimiter {
  /** Counts a call of a platform; undefined without a limit. */
  count(platformId: string, kind: Kind): Allowance | undefined;
}

/** The rate of a platform; undefined for unlimited. */
export type RateOf = (platformId: string, kind: Kind) => Rate | undefined;

const names: Record<Kind, string> = { query: "reads", mutation: "submissions" };

/** Creates a rate limiter with one token bucket per platform and kind of call, in this process (gap G22). */
export function createRateLimiter(rateOf: RateOf, now?: () => number): RateLimiter {
  // Only platforms with a live key get a bucket, so the map stays small.
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
