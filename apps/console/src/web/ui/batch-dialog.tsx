import { useEffect } from "react";
import { counted, number } from "../lib/numbers.ts";
import { type Batch, useBatches } from "../lib/use-batches.ts";
import { words } from "../words.ts";
import { ActError } from "./act-error.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { Progress } from "./progress.tsx";

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
          {(state.at === "idle" || state.at === "counting") && (
            <p className="text-muted">{words.batch.counting}</p>
          )}
          {state.at === "ready" && (
            <p className="text-16 font-semibold tabular-nums">
              {matching(number(total), total < counted, total)}
            </p>
          )}
          {running && (
            <Progress value={soFar} of={total} text={words.batch.progress(number(soFar), number(total))} />
          )}
          {state.at === "stopped" && <Notice meaning="waiting">{words.batch.stopped(number(soFar))}</Notice>}
          {state.at === "finished" && (
            <Notice meaning={soFar < total ? "waiting" : "good"}>
              {done(number(soFar), soFar)} {soFar < total && words.batch.left(number(total - soFar))}
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
            <Button onClick={stop}>{words.batch.stop}</Button>
          ) : (
            <Button onClick={() => onClose(soFar)}>{words.close}</Button>
          )}
          {state.at === "ready" && (
            <Button kind="primary" disabled={total === 0} onClick={() => void start(total)}>
              {act}
            </Button>
          )}
          {(state.at === "stopped" || state.at === "failed") && (
            <Button onClick={() => void count()}>{words.batch.again}</Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
