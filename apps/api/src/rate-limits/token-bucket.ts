import type { Rate } from "@cardbridge/domain";

export interface TokenBucket {
  /** Takes a token if there is one. */
  take(): boolean;
  /** The whole tokens left, and the whole seconds until the next token. */
  state(): { left: number; secondsToNext: number };
}

/**
 * Creates a bucket of `calls` tokens with an even refill. A token is worth the window in milliseconds, and each
 * millisecond refills `calls`, so that all values are exact integers if the rate's are.
 *
 * @param now a monotonic clock in milliseconds
 * @param tokens the tokens at first; the bucket is full without it
 */
export function createTokenBucket(
  { calls, seconds }: Rate,
  now = () => performance.now(),
  tokens = calls,
): TokenBucket {
  const token = seconds * 1_000;
  const full = calls * token;
  let level = Math.min(full, tokens * token);
  let filledAt = Math.floor(now());

  function refill(): void {
    const moment = Math.floor(now());
    level = Math.min(full, level + (moment - filledAt) * calls);
    filledAt = moment;
  }

  return {
    take() {
      refill();
      if (level < token) return false;
      level -= token;
      return true;
    },
    state() {
      refill();
      const missing = token - (level % token);
      return { left: Math.floor(level / token), secondsToNext: Math.ceil(missing / calls / 1_000) };
    },
  };
}
