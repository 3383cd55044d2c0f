import { useEffect } from "react";
import { followChanges } from "../api/shapes.ts";
import { createStore } from "../api/store.ts";

const state = createStore<"connecting" | "on" | "reconnecting">("connecting");
const changes = createStore<ReadonlyMap<string, number>>(new Map());

/** Keeps the live changes connected while the shell is shown. */
export function useLiveConnection(): void {
  useEffect(() => {
    let wasOn = false;
    const subscription = followChanges({
      change(kycRecordId) {
        const before = changes.get();
        changes.set(new Map(before).set(kycRecordId, (before.get(kycRecordId) ?? 0) + 1));
      },
      state(next) {
        wasOn ||= next === "pending";
        state.set(next === "pending" ? "on" : wasOn || next === "error" ? "reconnecting" : "connecting");
      },
    });
    return () => subscription.unsubscribe();
  }, []);
}

export const useLiveState = state.use;

/** How often each record changed since the page was opened. */
export const useLiveChanges = changes.use;
