import type { StartTimer } from "../../src/timers.ts";

/** The start time of every test clock. */
export const noon = Date.parse("2026-01-31T12:00:00.000Z");

/** A manual clock, which the test advances. */
export function createClock() {
  const timers = new Set<{ at: number; callback: () => void }>();

  const startTimer: StartTimer = (callback, ms) => {
    const timer = { at: clock.now + ms, callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  const clock = {
    now: noon,
    startTimer,
    /** The number of running timers. */
    timerCount: () => timers.size,
    /** The milliseconds until the next timer is due. Infinity without a timer. */
    msToNextTimer: () => Math.min(...[...timers].map(({ at }) => at)) - clock.now,
    /** Advances the clock and runs the timers that are due. */
    advance(ms: number) {
      clock.now += ms;
      for (const timer of [...timers]) if (timer.at <= clock.now && timers.delete(timer)) timer.callback();
    },
  };
  return clock;
}
