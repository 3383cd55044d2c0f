import { useEffect, useRef, useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { download } from "../../lib/download.ts";
import { shortId } from "../../lib/ids.ts";
import { shared } from "../../lib/words.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { type ActProps, ActRow } from "./act-row.tsx";
import { exportArchive, type Progress } from "./export-archive.ts";
import { useAct } from "./use-act.ts";

const words = {
  export: "Export",
  exportText: "All data of this user as a ZIP archive, for a request of the person.",
  exportOpen: "Export…",
  exportTitle: "Export this user’s data?",
  exportHappens: (id: string) =>
    `The archive has all personal data of ${id}, files included. It is stored on this computer: hand it over, then delete it.`,
  exportAct: "Export",
  exporting: (n: number, size: string) => (n === 1 ? `1 part, ${size}` : `${n} parts, ${size}`),
  exportDone: (n: number, size: string) => `Your browser stores the archive: ${n} files, ${size}.`,
  exportStop: "Stop",
  size: (bytes: number) =>
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`,
} as const;

/** Exports a user's data as an archive on this computer. Leaving the view ends it. */
export function ExportUser({ user: { platformId, externalUserId } }: ActProps) {
  const [purpose, setPurpose] = useState<Purpose>();
  const [progress, setProgress] = useState<Progress>();
  const left = useRef(new AbortController());
  const exportFor = async (given: Purpose): Promise<Progress> => {
    left.current = new AbortController();
    const { signal } = left.current;
    let done: Progress = { parts: 0, bytes: 0 };
    const report = (next: Progress) => {
      done = next;
      setProgress(next);
    };
    const of = { platformId, externalUserId, purpose: given };
    download(`${externalUserId}.zip`, await exportArchive(of, report, signal));
    return done;
  };
  const act = useAct(exportFor, { reads: true });
  useEffect(() => () => left.current.abort(), []);
  const start = () => {
    setPurpose(undefined);
    setProgress(undefined);
    act.start();
  };
  const { isPending } = act.dialog.mutation;
  return (
    <ActRow
      name={words.export}
      text={words.exportText}
      button={<Button onClick={start}>{words.exportOpen}</Button>}
    >
      {act.data && (
        <Notice meaning="good">{words.exportDone(act.data.parts, words.size(act.data.bytes))}</Notice>
      )}
      <ActDialog
        reads
        {...act.dialog}
        title={words.exportTitle}
        happens={words.exportHappens(shortId(externalUserId))}
        act={words.exportAct}
        running={
          progress ? words.exporting(progress.parts, words.size(progress.bytes)) : shared.queue.loading
        }
        recent
        ready={purpose !== undefined}
        onAct={() => purpose && act.run(purpose)}
      >
        <PurposeChoice value={purpose} onChange={setPurpose} />
        {isPending && (
          <Button className="self-start" onClick={() => left.current.abort()}>
            {words.exportStop}
          </Button>
        )}
      </ActDialog>
    </ActRow>
  );
}
