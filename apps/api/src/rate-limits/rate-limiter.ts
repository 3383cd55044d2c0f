import type { LimitedKind, Observer, Rate, RateLimits } from "@cardbridge/domain";
import { reasonOf } from "@cardbridge/operations";
import { createSharedBucket, type SharedBucket } from "./shared-bucket.ts";

/** The state of a platform's limit. */
export interface Allowance {
  allowed: boolean;
  /** The seconds until the next call is allowed. */
  retryAfterSeconds: number;
  /** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
  headers: Record<string, string>;
}

export interface RateLimiter {
  /** Counts a call of a platform; undefined without a limit. A promise only if the database has to be asked. */
  count(platformId: string, kind: LimitedKind): Allowance | undefined | Promise<Allowance>;
  /** Whether a platform exceeds its limit, as far as this process knows. Counts nothing. */
  isExceeded(platformId: string, kind: LimitedKind): boolean;
  /** The state of a platform's limit, as far as this process knows; undefined without a limit. Counts nothing. */
  state(platformId: string, kind: LimitedKind): Allowance | undefined;
}

/** The rate of a platform; undefined for unlimited. */
export type RateOf = (platformId: string, kind: LimitedKind) => Rate | undefined;

interface Options {
  rateOf: RateOf;
  limits: RateLimits;
  observer: Observer;
  /** A monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}

const names: Record<LimitedKind, string> = { query: "reads", mutation: "submissions" };

/** Creates a rate limiter with one token bucket per platform and kind of call, which processes share (gap G22). */
export function createRateLimiter({
  rateOf,
  limits,
  observer,
  now = () => performance.now(),
}: Options): RateLimiter {
  // Only platforms with a live key get a bucket, so the map stays small.
  const buckets = new Map<string, SharedBucket>();
  let processes = 1;

  function bucketOf(platformId: string, kind: LimitedKind, rate: Rate): SharedBucket {
    const name = nameOf(platformId, kind);
    const bucket =
      buckets.get(name) ??
      createSharedBucket({
        rate,
        async lease(wanted) {
          const lease = await limits.lease(platformId, kind, rate, wanted);
          processes = lease.processes;
          return lease;
        },
        processes: () => processes,
        onFailure: (error) => observer.observe("rate_limit_not_shared", { reason: reasonOf(error) }),
        now,
      });
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    isExceeded: (platformId, kind) => buckets.get(nameOf(platformId, kind))?.isEmpty() ?? false,
    state(platformId, kind) {
      const rate = rateOf(platformId, kind);
      if (!rate) return undefined;
      const bucket = bucketOf(platformId, kind, rate);
      return allowance(!bucket.isEmpty(), bucket, kind, rate);
    },
    count(platformId, kind) {
      const rate = rateOf(platformId, kind);
      if (!rate) return undefined;
      const bucket = bucketOf(platformId, kind, rate);
      const taken = bucket.take();
      return typeof taken === "boolean"
        ? allowance(taken, bucket, kind, rate)
        : taken.then((allowed) => allowance(allowed, bucket, kind, rate));
    },
  };
}

const nameOf = (platformId: string, kind: LimitedKind) => `${kind} ${platformId}`;

function allowance(allowed: boolean, bucket: SharedBucket, kind: LimitedKind, rate: Rate): Allowance {
  const { left, secondsToNext } = bucket.state();
  return {
    allowed,
    retryAfterSeconds: secondsToNext,
    headers: {
      ratelimit: `"${names[kind]}";r=${left};t=${secondsToNext}`,
      "ratelimit-policy": `"${names[kind]}";q=${rate.calls};w=${rate.seconds}`,
    },
  };
}
