/** A port whose methods reject, until its repository is built. */
export function notBuilt<T extends object>(): T {
  return new Proxy({} as T, { get: () => () => Promise.reject(new Error("Not built yet.")) });
}
