import type { Runtime } from "./runtime.ts";

/** A signal that aborts with the first of these signals, and a function that removes its listeners. */
export function anySignal(signals: readonly AbortSignal[]): { signal: AbortSignal; release: () => void } {
  if (AbortSignal.any !== undefined) return { signal: AbortSignal.any([...signals]), release() {} };
  const controller = new AbortController();
  const abort = () => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  const release = () => {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  };
  for (const signal of signals) signal.addEventListener("abort", abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, release };
}

/** A signal that aborts after `ms` milliseconds, and a function that cancels it. */
export function timeLimit(runtime: Runtime, ms: number): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: runtime.after(ms, () => controller.abort()) };
}
