import type { Schedule } from "../../src/deadline.ts";

/** Timers that stand still until the test moves them. */
export function createClock() {
  const waiting = new Set<{ at: number; work: () => void }>();
  let now = 0;

  const schedule: Schedule = (work, ms) => {
    const timer = { at: now + ms, work };
    waiting.add(timer);
    return () => waiting.delete(timer);
  };

  return {
    schedule,
    /** Moves on, and does what has come due. */
    advance(ms: number) {
      now += ms;
      for (const timer of [...waiting]) if (timer.at <= now && waiting.delete(timer)) timer.work();
    },
  };
}
