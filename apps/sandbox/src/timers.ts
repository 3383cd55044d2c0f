/** The longest delay that Node's timers accept, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1;

/** The timeout of a download and of a delivery, in milliseconds. */
const deadlineMs = 5_000;

/** Calls back once after a delay in milliseconds. Returns a function that cancels the timer. */
export type StartTimer = (callback: () => void, ms: number) => () => void;

/** Uses the timers of this process. A delay over `maxDelayMs` is cut to it, so the callback may run early. */
export const startSystemTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, Math.min(ms, maxDelayMs));
  return () => clearTimeout(timer);
};

/** Runs a task for at most 5 s. Its signal aborts then, or when the caller's signal aborts. */
export async function withDeadline<T>(
  startTimer: StartTimer,
  caller: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const cancelTimer = startTimer(() => timeout.abort(), deadlineMs);
  try {
    return await task(AbortSignal.any([caller, timeout.signal]));
  } finally {
    cancelTimer();
  }
}
