import { useEffect, useRef, useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { download } from "../../lib/download.ts";
import { shortId } from "../../lib/ids.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { exportArchive, type Progress } from "./export-archive.ts";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;

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
      name={say.export}
      text={say.exportText}
      button={<Button onClick={start}>{say.exportOpen}</Button>}
    >
      {act.data && <Notice meaning="good">{say.exportDone(act.data.parts, say.size(act.data.bytes))}</Notice>}
      <ActDialog
        reads
        {...act.dialog}
        title={say.exportTitle}
        happens={say.exportHappens(shortId(externalUserId))}
        act={say.exportAct}
        running={progress ? say.exporting(progress.parts, say.size(progress.bytes)) : words.queue.loading}
        recent
        ready={purpose !== undefined}
        onAct={() => purpose && act.run(purpose)}
      >
        <PurposeChoice value={purpose} onChange={setPurpose} />
        {isPending && (
          <Button className="self-start" onClick={() => left.current.abort()}>
            {say.exportStop}
          </Button>
        )}
      </ActDialog>
    </ActRow>
  );
}
