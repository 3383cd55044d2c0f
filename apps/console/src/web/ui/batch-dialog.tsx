import { useEffect, useRef, useState } from "react";
import { counted, number } from "../lib/numbers.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "./act-error.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { Progress } from "./progress.tsx";

const words = {
  counting: "Counting…",
  progress: (done: string, total: string) => `${done} of ${total}`,
  stop: "Stop",
  stopped: (done: string) => `Stopped after ${done}. What was done stays.`,
  left: (n: string) => `${n} are left: they cannot be done now.`,
  again: "Count again",
} as const;

interface Props {
  title: string;
  text: string;
  act: string;
  /** What matches, and what was done, in words. */
  matching(count: string, exact: boolean, n: number): string;
  done(count: string, n: number): string;
  call(preview: boolean): Promise<Batch>;
  onClose(done: number): void;
}

/** A bulk act: first the count of what matches, then its progress. It can be stopped, and begun again. */
export function BatchDialog({ title, text, act, matching, done, call, onClose }: Props) {
  const { state, count, start, stop } = useBatches(call);
  // It counts once, when it opens.
  useEffect(() => {
    void count();
    return stop;
  }, []);
  const running = state.at === "running";
  const total = "matching" in state ? state.matching : 0;
  const soFar = "done" in state ? state.done : 0;
  return (
    <Dialog open onOpenChange={(open) => !open && !running && onClose(soFar)} title={title}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">{text}</p>
        <div role="status" className="min-h-14">
          {(state.at === "idle" || state.at === "counting") && <p className="text-muted">{words.counting}</p>}
          {state.at === "ready" && (
            <p className="text-16 font-semibold tabular-nums">
              {matching(number(total), total < counted, total)}
            </p>
          )}
          {running && (
            <Progress value={soFar} of={total} text={words.progress(number(soFar), number(total))} />
          )}
          {state.at === "stopped" && <Notice meaning="waiting">{words.stopped(number(soFar))}</Notice>}
          {state.at === "finished" && (
            <Notice meaning={soFar < total ? "waiting" : "good"}>
              {done(number(soFar), soFar)} {soFar < total && words.left(number(total - soFar))}
            </Notice>
          )}
          {state.at === "failed" && (
            <div className="flex flex-col gap-2">
              {soFar > 0 && <p className="tabular-nums">{done(number(soFar), soFar)}</p>}
              <ActError error={state.error} />
            </div>
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          {running ? (
            <Button onClick={stop}>{words.stop}</Button>
          ) : (
            <Button onClick={() => onClose(soFar)}>{shared.close}</Button>
          )}
          {state.at === "ready" && (
            <Button kind="primary" disabled={total === 0} onClick={() => void start(total)}>
              {act}
            </Button>
          )}
          {(state.at === "stopped" || state.at === "failed") && (
            <Button onClick={() => void count()}>{words.again}</Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** What one call of a bulk act did. */
export interface Batch {
  /** How many matched before the call, up to 10,000. */
  matching: number;
  done: number;
  more: boolean;
}

type BatchState =
  | { at: "idle" | "counting" }
  | { at: "ready"; matching: number }
  | { at: "running" | "stopped" | "finished"; matching: number; done: number }
  | { at: "failed"; matching: number; done: number; error: unknown };

/** Runs a bulk act: counts what matches, then repeats bounded calls until nothing is left or the person stops it. */
function useBatches(call: (preview: boolean) => Promise<Batch>) {
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
