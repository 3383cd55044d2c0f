import { useSyncExternalStore } from "react";

/*
 * What was searched for, such as an e-mail. It lives in this page's memory alone: in no address, no history and no
 * storage. A reload forgets it.
 */
let searched = "";
const listeners = new Set<() => void>();

export function setSearched(text: string): void {
  searched = text;
  for (const listener of listeners) listener();
}

export function useSearched(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => searched,
  );
}
