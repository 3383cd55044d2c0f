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
  /** Takes a token if there is one. */
  take(): Tokens;
}

/**
 * Creates a full bucket of `calls` tokens with an even refill. A token counts as the window in milliseconds, and
 * each millisecond adds `calls`, so that integer rates give exact integers.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createTokenBucket({ calls, seconds }: Rate, now = () => performance.now()): TokenBucket {
  const token = seconds * 1_000;
  const full = calls * token;
  let level = full;
  let filledAt = Math.floor(now());

  function refill(): void {
    const time = Math.floor(now());
    level = Math.min(full, level + (time - filledAt) * calls);
    filledAt = time;
  }

  return {
    take() {
      refill();
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
