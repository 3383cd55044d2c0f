import type { Rate } from "@cardbridge/domain";

/** The result of taking a token from a bucket. */
export interface Tokens {
  /** Whether the call got a token. */
  taken: boolean;
  /** The whole tokens left. */
  left: number;
  /** The whole seconds until the next token. */
  secondsToNext: number;
}

export interface TokenBucket {
  /** Takes a token if there is one. @param rate the current rate, with the window of the first one */
  take(rate?: Rate): Tokens;
}

/**
 * Creates a full bucket of `calls` tokens with an even refill. A token counts as the window in milliseconds, and
 * each millisecond adds `calls`, so that integer rates give exact integers.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createTokenBucket(first: Rate, now = () => performance.now()): TokenBucket {
  const token = first.seconds * 1_000;
  let level = first.calls * token;
  let filledAt = Math.floor(now());

  function refill(calls: number): void {
    const time = Math.floor(now());
    level = Math.min(calls * token, level + (time - filledAt) * calls);
    filledAt = time;
  }

  return {
    take({ calls } = first) {
      refill(calls);
      const taken = level >= token;
      if (taken) level -= token;
      const missing = token - (level % token);
      return {
        taken,
        left: Math.floor(level / token),
        secondsToNext: Math.ceil(missing / calls / 1_000),
      };
    },
  };
}
