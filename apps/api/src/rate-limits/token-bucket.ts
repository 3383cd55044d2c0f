/** The number of calls per window. After a pause, all of them may come at once. */
export interface Rate {
  calls: number;
  seconds: number;
}

export interface TokenBucket {
  /** Takes a token if there is one. */
  take(): boolean;
  /** The whole tokens left, and the whole seconds until the next token. */
  state(): { left: number; secondsToNext: number };
}

/**
 * Creates a bucket of `calls` tokens with an even refill. A token is worth the window in milliseconds, and each
 * millisecond refills `calls`, so that all values are exact integers.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createTokenBucket({ calls, seconds }: Rate, now = () => performance.now()): TokenBucket {
  const token = seconds * 1_000;
  const full = calls * token;
  let level = full;
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
