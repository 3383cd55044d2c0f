/** The minimum time between two checks, in milliseconds. */
const renewMs = 1_000;

/**
 * Returns the result of a check that runs at most once a second, and never concurrently. After an expired result,
 * callers wait for the next one.
 *
 * @param now a monotonic clock in milliseconds
 */
export function renewedState<T>(check: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let state: Promise<T> | undefined;
  let expires = 0;
  let isRunning = false;

  return () => {
    if (state && (isRunning || now() < expires)) return state;
    isRunning = true;
    expires = now() + renewMs;
    state = check().finally(() => {
      isRunning = false;
    });
    return state;
  };
}
