/** Calls back once after a delay in milliseconds. Returns a function that cancels the timer. */
export type StartTimer = (callback: () => void, ms: number) => () => void;

/** Uses the timers of this process. */
export const startSystemTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

interface Deadline<T> {
  /** The total time of the task, in milliseconds. */
  ms: number;
  /** Returns the result after the deadline. Called after the signal is aborted. */
  onTimeout(): T;
  /** The caller's signal, which may abort earlier. */
  caller?: AbortSignal | undefined;
  /** Replaces `AbortSignal.timeout`, whose time a test cannot control. */
  startTimer: StartTimer;
}

/**
 * Runs a task under a total deadline. The signal of the task aborts at the deadline and with the caller's signal.
 * Rejects with the caller's reason when the caller aborts, otherwise with the error of the task.
 */
export async function withDeadline<T>(
  { ms, onTimeout, caller, startTimer }: Deadline<T>,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const timeout = new AbortController();
  const signal = caller ? AbortSignal.any([caller, timeout.signal]) : timeout.signal;
  const { promise: aborted, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = () => (timeout.signal.aborted ? resolve(onTimeout()) : reject(signal.reason));
  signal.addEventListener("abort", onAbort);
  const cancelTimer = startTimer(() => timeout.abort(), ms);
  try {
    return await Promise.race([task(signal), aborted]);
  } finally {
    cancelTimer();
    signal.removeEventListener("abort", onAbort);
  }
}
