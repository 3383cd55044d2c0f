import type { StartTimer } from "../../src/http/deadline.ts";

/** Timers that run only when the test advances the clock. */
export function createClock() {
  const timers = new Set<{ at: number; callback: () => void }>();
  let now = 0;

  const startTimer: StartTimer = (callback, ms) => {
    const timer = { at: now + ms, callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  return {
    startTimer,
    /** Advances the clock and runs the timers that are due. */
    advance(ms: number) {
      now += ms;
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.callback();
    },
  };
}
