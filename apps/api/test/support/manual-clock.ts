/** A manual clock for the sandbox. It starts at the current time, and tests advance it. */
export function createManualClock() {
  let now = Date.now();
  const timers = new Set<{ at: number; work: () => void }>();
  return {
    now: () => now,
    startTimer(work: () => void, ms: number) {
      const timer = { at: now + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Advances the clock and runs the due timers. */
    advance(ms: number) {
      now += ms;
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.work();
    },
  };
}
