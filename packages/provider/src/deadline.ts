const over = "over";

/** Runs work once after so many milliseconds; what it returns cancels that. */
export type Schedule = (work: () => void, ms: number) => () => void;

/** The machine's own timers. */
export const timers: Schedule = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

interface Deadline<T> {
  /** Milliseconds for the whole work, whatever it waits for. */
  ms: number;
  /** What it comes to when they have passed. */
  late(): T;
  /** The caller, who may go away earlier. */
  caller?: AbortSignal | undefined;
  schedule: Schedule;
}

/**
 * Runs work under a total deadline; the signal that it is given aborts when nobody waits any more.
 * Rejects with the caller's reason when the caller went away, and otherwise as the work does.
 */
export async function withDeadline<T>(
  { ms, late, caller, schedule }: Deadline<T>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  let leave = () => {};
  let cancel = () => {};

  const interrupted = new Promise<T>((resolve, reject) => {
    leave = () => {
      reject(caller?.reason);
      controller.abort(over);
    };
    caller?.addEventListener("abort", leave);
    cancel = schedule(() => {
      // In this order: once it is aborted, nothing that `late` is asked about can change any more.
      controller.abort(over);
      resolve(late());
    }, ms);
  });

  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    cancel();
    caller?.removeEventListener("abort", leave);
  }
}
