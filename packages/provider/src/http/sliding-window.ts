import { CircuitState, type IBreaker } from "cockatiel";

interface SlidingWindowOptions {
  windowMs: number;
  /** The minimum number of calls in the window that can open the breaker. */
  minCalls: number;
  /** The ratio of failed calls that opens the breaker, above 0 and up to 1. */
  failureRatio: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
}

const slots = 10;

/**
 * Opens the breaker when enough calls in a sliding window failed. cockatiel's SamplingBreaker drops one old slot per
 * call, whatever its age, so with few calls it would add up the failures of a whole day.
 */
export function createSlidingWindow(options: SlidingWindowOptions): IBreaker {
  const { windowMs, minCalls, failureRatio, now } = options;
  const slotMs = windowMs / slots;
  let window: { slot: number; calls: number; failures: number }[] = [];

  function count(failed: boolean): void {
    const slot = Math.floor(now() / slotMs);
    window = window.filter((past) => past.slot > slot - slots);
    let current = window.at(-1);
    if (current?.slot !== slot) {
      current = { slot, calls: 0, failures: 0 };
      window.push(current);
    }
    current.calls += 1;
    if (failed) current.failures += 1;
  }

  return {
    state: undefined,
    success(state) {
      if (state === CircuitState.HalfOpen) window = [];
      count(false);
    },
    failure(state) {
      count(true);
      if (state !== CircuitState.Closed) return true;
      const calls = window.reduce((sum, slot) => sum + slot.calls, 0);
      const failures = window.reduce((sum, slot) => sum + slot.failures, 0);
      return calls >= minCalls && failures >= failureRatio * calls;
    },
  };
}
