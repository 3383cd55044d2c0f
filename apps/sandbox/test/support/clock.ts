import type { Schedule } from "../../src/schedule.ts";

/** A moment for clocks to start from. */
export const noon = Date.parse("2026-01-31T12:00:00.000Z");

/** A clock that stands still until the test moves it. */
export function createClock() {
  const waiting = new Set<{ at: number; work: () => void }>();

  const schedule: Schedule = (work, milliseconds) => {
    const timer = { at: clock.now + milliseconds, work };
    waiting.add(timer);
    return () => waiting.delete(timer);
  };

  const clock = {
    now: noon,
    schedule,
    /** How much waits on it. */
    waiting: () => waiting.size,
    /** How long the first of it still waits, in milliseconds; Infinity when nothing does. */
    rest: () => Math.min(...[...waiting].map(({ at }) => at)) - clock.now,
    /** Moves on, and does what has come due. */
    advance(milliseconds: number) {
      clock.now += milliseconds;
      for (const timer of [...waiting]) if (timer.at <= clock.now && waiting.delete(timer)) timer.work();
    },
  };
  return clock;
}

export type Clock = ReturnType<typeof createClock>;
