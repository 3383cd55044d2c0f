/** So many calls in so many seconds; after a quiet time, as many at once. */
export interface Rate {
  calls: number;
  seconds: number;
}

export interface TokenBucket {
  /** Takes one token where there is one. */
  take(): boolean;
  /** Puts one token back. */
  giveBack(): void;
  /** Whole tokens that are left, and whole seconds until there is one more. */
  state(): { left: number; secondsToNext: number };
}

/**
 * A bucket of `calls` tokens that is refilled evenly. One token counts as the milliseconds of the whole
 * window and each millisecond refills `calls` of them, so that everything is a whole number and exact.
 *
 * @param now a clock in milliseconds that never goes back
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
    giveBack() {
      level = Math.min(full, level + token);
    },
    state() {
      refill();
      const missing = token - (level % token);
      return { left: Math.floor(level / token), secondsToNext: Math.ceil(missing / calls / 1_000) };
    },
  };
}
