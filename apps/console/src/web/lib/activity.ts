import { useSyncExternalStore } from "react";

/** After this time without a key or a pointer, the page asks for nothing by itself, so that a session can end. */
const quietMs = 10 * 60_000;

let last = Date.now();
let quiet = false;
const listeners = new Set<() => void>();

function update(): void {
  const next = Date.now() - last > quietMs;
  if (next === quiet) return;
  quiet = next;
  for (const listener of listeners) listener();
}

for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(
    event,
    () => {
      last = Date.now();
      if (quiet) update();
    },
    { passive: true, capture: true },
  );
}
setInterval(update, 15_000);

/** Whether somebody used the page in the last ten minutes. */
export function useActivity(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => !quiet,
  );
}
