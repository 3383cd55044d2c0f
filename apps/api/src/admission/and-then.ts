export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `next` with a value immediately, or with a promise's result. A cached value needs no turn of the event loop.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `next` with the result of `work`, or `failed` with its error, as `promise.then` with two functions does. */
export function attempt<T, R>(
  work: () => MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  failed: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  let value: MaybePromise<T>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}

/** Calls `end` after `work`, also after a failure. */
export function andFinally<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  return attempt(
    work,
    (value) => {
      end();
      return value;
    },
    (error) => {
      end();
      throw error;
    },
  );
}
