/** The functions of the JavaScript runtime that the client uses. Tests replace them. */
export interface Runtime {
  /** The time in milliseconds. It never decreases. */
  now(): number;
  /** A random number from 0 to 1, excluding 1. */
  random(): number;
  /** Runs the callback after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A larger delay overflows the timers of every runtime, so that they fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export const defaultRuntime: Runtime = {
  now: () => performance.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, maxTimerMs));
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        cancel();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const cancel = defaultRuntime.after(ms, end);
      signal.addEventListener("abort", end);
    }),
};
