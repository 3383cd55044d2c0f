/** A clock for the sandbox that starts at the present, and then stands until a test moves it. */
export function createHeldClock() {
  let now = Date.now();
  const timers = new Set<{ at: number; work: () => void }>();
  return {
    now: () => now,
    startTimer(work: () => void, millis: number) {
      const timer = { at: now + millis, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Moves on, and does what has come due. */
    advance(millis: number) {
      now += millis;
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.work();
    },
  };
}
