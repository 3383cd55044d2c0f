import { useSyncExternalStore } from "react";

/** A value outside of the views, which they follow. */
export function createStore<Value>(value: Value) {
  let current = value;
  const listeners = new Set<() => void>();
  const get = (): Value => current;
  /** Calls the listener after each change, until the returned function is called. */
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next: Value): void {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    use: (): Value => useSyncExternalStore(subscribe, get),
  };
}
