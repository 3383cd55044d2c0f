import { useRef, useState } from "react";

/** What one call of a bulk act did. */
export interface Batch {
  /** How many matched before the call, up to 10,000. */
  matching: number;
  done: number;
  more: boolean;
}

export type BatchState =
  | { at: "idle" | "counting" }
  | { at: "ready"; matching: number }
  | { at: "running" | "stopped" | "finished"; matching: number; done: number }
  | { at: "failed"; matching: number; done: number; error: unknown };

/** Runs a bulk act: counts what matches, then repeats bounded calls until nothing is left or the person stops it. */
export function useBatches(call: (preview: boolean) => Promise<Batch>) {
  const [state, setState] = useState<BatchState>({ at: "idle" });
  const run = useRef(0);

  async function count() {
    const mine = ++run.current;
    setState({ at: "counting" });
    try {
      const { matching } = await call(true);
      if (run.current === mine) setState({ at: "ready", matching });
    } catch (error) {
      if (run.current === mine) setState({ at: "failed", matching: 0, done: 0, error });
    }
  }

  async function start(matching: number) {
    const mine = ++run.current;
    let done = 0;
    setState({ at: "running", matching, done });
    try {
      for (;;) {
        const batch = await call(false);
        done += batch.done;
        if (run.current !== mine) return;
        // A call that did nothing would do nothing again: what is left cannot be done now.
        if (!batch.more || batch.done === 0) return setState({ at: "finished", matching, done });
        setState({ at: "running", matching, done });
      }
    } catch (error) {
      if (run.current === mine) setState({ at: "failed", matching, done, error });
    }
  }

  /** Ends after the call that is under way, whose effect stays. */
  function stop() {
    run.current++;
    setState((now) => (now.at === "running" ? { ...now, at: "stopped" } : { at: "idle" }));
  }

  return { state, count, start, stop };
}
