export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value at once, or with the result of a promise: what is cached needs no turn of the event loop. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
