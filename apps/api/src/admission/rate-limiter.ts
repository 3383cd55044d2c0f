import type { Rate } from "@cardbridge/domain";
import { createTokenBucket, type TokenBucket, type Tokens } from "./token-bucket.ts";

/** The classes of calls, each with a rate of its own. Uploads, validations and webhook calls are not submissions. */
export const rateClasses = ["reads", "writes", "submissions"] as const;
export type RateClass = (typeof rateClasses)[number];

/** The state of a holder's limit after a call. */
export interface Allowance {
  allowed: boolean;
  /** The whole seconds until the next token. */
  retryAfterSeconds: number;
  /** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
}

/** A rate that all processes share. */
export interface SharedRate {
  /** Takes a token from a bucket; undefined while the shared state is unavailable. Never rejects. */
  take(name: string, rate: Rate): Promise<Tokens | undefined>;
}

export interface RateLimiter {
  /** Counts a call of a holder; undefined without a limit. Returns a promise only for a shared rate. */
  count(holder: string, rateClass: RateClass): Allowance | undefined | Promise<Allowance>;
}

/** The rate of a holder, as `holderOf` names it; undefined if it is unlimited. */
export type RateOf = (holder: string, rateClass: RateClass) => Rate | undefined;

/** The maximum number of buckets of a process. Beyond it, the oldest one is forgotten, and is full again. */
const maxBuckets = 10_000;

interface Options {
  rateOf: RateOf;
  /** The rate that all processes share. Without it, each process applies the rate separately. */
  shared?: SharedRate | undefined;
  /** A monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}

/**
 * Creates a rate limiter with a token bucket per holder and class. Each process also counts
 * the calls of a shared rate in its own bucket. While the shared bucket is unavailable, the process's bucket decides.
 */
export function createRateLimiter({ rateOf, shared, now }: Options): RateLimiter {
  // Only platforms, keys and verified persons get a bucket.
  const buckets = new Map<string, TokenBucket>();

  function bucketOf(name: string, rate: Rate): TokenBucket {
    const known = buckets.get(name);
    if (known) return known;
    const [oldest = ""] = buckets.keys();
    if (buckets.size >= maxBuckets) buckets.delete(oldest);
    const bucket = createTokenBucket(rate, now);
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    count(holder, rateClass) {
      const rate = rateOf(holder, rateClass);
      if (!rate) return undefined;
      const name = `${rateClass}:${holder}`;
      const own = bucketOf(name, rate).take(rate);
      // A holder that exceeds the rate in this process also exceeds the shared rate.
      if (!shared || !own.taken) return toAllowance(own, rateClass, rate);
      return shared.take(name, rate).then((tokens) => toAllowance(tokens ?? own, rateClass, rate));
    },
  };
}

function toAllowance({ taken, left, secondsToNext }: Tokens, rateClass: RateClass, rate: Rate): Allowance {
  return {
    allowed: taken,
    retryAfterSeconds: secondsToNext,
    headers: {
      ratelimit: `"${rateClass}";r=${left};t=${secondsToNext}`,
      "ratelimit-policy": `"${rateClass}";q=${rate.calls};w=${rate.seconds}`,
    },
  };
}
