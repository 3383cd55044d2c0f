import { CircuitState, type IBreaker } from "cockatiel";

interface CallWindowOptions {
  windowMs: number;
  /** With fewer calls in the window nothing opens. */
  minimumCalls: number;
  /** The share of failed calls that opens, above 0 and up to 1. */
  failureShare: number;
  /** A clock in milliseconds that never runs backwards. */
  now: () => number;
}

const slots = 10;

/**
 * Opens when enough of the window's calls failed. cockatiel's own SamplingBreaker drops one slot per
 * call instead of what is too old, so a quiet day's failures would add up to an open breaker.
 */
export function createCallWindow(options: CallWindowOptions): IBreaker {
  const { windowMs, minimumCalls, failureShare, now } = options;
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
      return calls >= minimumCalls && failures >= failureShare * calls;
    },
  };
}
