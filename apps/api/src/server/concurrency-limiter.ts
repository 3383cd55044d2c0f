/** The maximum duration of a burst, in milliseconds. After it, only the steady number is admitted. */
const burstMillis = 250;
/** The minimum of the steady number. */
const minSteady = 16;

export interface ConcurrencyLimiter {
  /** Admits a request if there is capacity. */
  enter(): boolean;
  /** Ends an admitted request. */
  leave(): void;
}

/**
 * Limits the number of concurrent requests. A burst may reach `max`. If more than a quarter of `max` stays busy for
 * longer than a burst, further requests are refused, because queued requests cost everyone memory and latency.
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
      // Half the steady number. Otherwise a constant load around it would start a new burst each time.
      if (count < steady / 2) busySince = undefined;
    },
  };
}
