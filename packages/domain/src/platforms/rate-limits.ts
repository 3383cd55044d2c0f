/** Reads and submissions have separate limits. */
export type LimitedKind = "query" | "mutation";

/** The number of calls per window. After a pause, all of them may come at once. */
export interface Rate {
  calls: number;
  seconds: number;
}

/** Tokens that a process took from a platform's bucket. Each is good for one call. */
export interface RateLease {
  /** The whole tokens that the process got; fewer than wanted if the bucket has no more. */
  granted: number;
  /** What the bucket still holds, with the fraction of the next token. */
  remaining: number;
  /** The processes that lately took tokens of any platform; at least 1. */
  processes: number;
}

/** The token buckets that the processes of one database share. */
export interface RateLimits {
  /**
   * Takes up to `wanted` tokens of a platform. The bucket is full at first.
   * @throws Failure SERVICE_UNAVAILABLE.
   */
  lease(platformId: string, kind: LimitedKind, rate: Rate, wanted: number): Promise<RateLease>;
}
