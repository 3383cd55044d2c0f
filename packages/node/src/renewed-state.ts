interface Options {
  /** The minimum time between two checks, in milliseconds. A second when absent. */
  everyMs?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Returns the result of a check that runs at most once per `everyMs`, and never concurrently. After an expired result,
 * callers wait for the next one.
 */
export function renewedState<T>(
  check: () => Promise<T>,
  { everyMs = 1_000, now = () => performance.now() }: Options = {},
): () => Promise<T> {
  let state: Promise<T> | undefined;
  let expires = 0;
  let isRunning = false;

  return () => {
    if (state && (isRunning || now() < expires)) return state;
    isRunning = true;
    expires = now() + everyMs;
    state = check().finally(() => {
      isRunning = false;
    });
    return state;
  };
}
