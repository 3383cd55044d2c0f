import { useEffect, useSyncExternalStore } from "react";
import { followChanges } from "../api/shapes.ts";

export type LiveState = "connecting" | "on" | "reconnecting";

let state: LiveState = "connecting";
/** The records that changed, with how often, since the page was opened. */
let changes: ReadonlyMap<string, number> = new Map();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the live changes connected while the shell is shown. */
export function useLiveConnection(): void {
  useEffect(() => {
    let wasOn = false;
    const subscription = followChanges({
      change(kycRecordId) {
        changes = new Map(changes).set(kycRecordId, (changes.get(kycRecordId) ?? 0) + 1);
        tell();
      },
      state(next) {
        wasOn ||= next === "pending";
        state = next === "pending" ? "on" : wasOn || next === "error" ? "reconnecting" : "connecting";
        tell();
      },
    });
    return () => subscription.unsubscribe();
  }, []);
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state);

/** How often each record changed since the page was opened. */
export const useLiveChanges = (): ReadonlyMap<string, number> =>
  useSyncExternalStore(subscribe, () => changes);
