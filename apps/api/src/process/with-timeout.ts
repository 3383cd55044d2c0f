/**
 * Waits for work, up to `millis`. Unfinished work continues.
 * @throws Error `timeout`; what the work throws.
 */
export async function withTimeout<T>(millis: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("timeout")), millis);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
