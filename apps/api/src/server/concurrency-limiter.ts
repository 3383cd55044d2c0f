/** How long a burst may last, in milliseconds, before the limiter admits no more than the steady number. */
const burstMillis = 250;
/** The steady number is never smaller than this. */
const minSteady = 16;

export interface ConcurrencyLimiter {
  /** Admits one more request where there is room. */
  enter(): boolean;
  /** An admitted request has ended. */
  leave(): void;
}

/**
 * Limits how many requests are under way. A burst may reach `max`. While more than a quarter of that stays under
 * way for longer than a burst, no other is admitted: queued requests cost everyone memory and latency.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createConcurrencyLimiter(max: number, now = () => performance.now()): ConcurrencyLimiter {
  const steady = Math.max(minSteady, max / 4);
  let count = 0;
  let busySince: number | undefined;

  function isFull(): boolean {
    if (count >= max) return true;
    return count >= steady && busySince !== undefined && now() - busySince > burstMillis;
  }
  return {
    enter() {
      if (isFull()) return false;
      count += 1;
      if (count >= steady) busySince ??= now();
      return true;
    },
    leave() {
      count -= 1;
      // Well below the steady number: a load that stays would otherwise count as a new burst each time.
      if (count < steady / 2) busySince = undefined;
    },
  };
}
