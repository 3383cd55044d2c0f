export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value at once, or with the result of a promise: what is cached needs no turn of the event loop. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Continues with what `work` returns or throws, as `promise.then` with two functions does. */
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
