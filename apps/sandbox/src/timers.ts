/** The longest delay that Node's timers accept, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1;

/** Calls back once after a delay in milliseconds. Returns a function that cancels the timer. */
export type StartTimer = (callback: () => void, ms: number) => () => void;

/** Uses the timers of this process. A delay over `maxDelayMs` is cut to it, so the callback may run early. */
export const startSystemTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, Math.min(ms, maxDelayMs));
  return () => clearTimeout(timer);
};
