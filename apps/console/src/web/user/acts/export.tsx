import { useEffect, useRef, useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { download } from "../../lib/download.ts";
import { shortId } from "../../lib/ids.ts";
import { bytes as size } from "../../lib/numbers.ts";
import { shared } from "../../lib/words.ts";
import { Notice } from "../../ui/notice.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { Act, type ActProps } from "./act.tsx";
import { exportArchive, type Progress } from "./export-archive.ts";

const words = {
  name: "Export",
  text: "All data of this user as a ZIP archive, for a request of the person.",
  open: "Export…",
  title: "Export this user’s data?",
  happens: (id: string) =>
    `The archive has all personal data of ${id}, files included. It is stored on this computer: hand it over, then delete it. Leaving the page stops it.`,
  act: "Export",
  soFar: (n: number, size: string) => (n === 1 ? `1 part, ${size}` : `${n} parts, ${size}`),
  done: (n: number, size: string) => `Your browser stores the archive: ${n} files, ${size}.`,
} as const;

/** Exports a user's data as an archive on this computer. Leaving the view ends it. */
export function ExportUser({ user: { platformId, externalUserId } }: ActProps) {
  const [purpose, setPurpose] = useState<Purpose>();
  const [progress, setProgress] = useState<Progress>();
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const exportFor = async (given: Purpose): Promise<Progress> => {
    const of = { platformId, externalUserId, purpose: given };
    const { archive, ...done } = await exportArchive(of, setProgress, left.current.signal);
    download(`${externalUserId}.zip`, archive);
    return done;
  };
  return (
    <Act
      {...words}
      reads
      happens={words.happens(shortId(externalUserId))}
      running={progress ? words.soFar(progress.parts, size(progress.bytes)) : shared.queue.loading}
      recent
      onStart={() => {
        setPurpose(undefined);
        setProgress(undefined);
      }}
      run={purpose && (() => exportFor(purpose))}
      result={({ parts, bytes }) => <Notice meaning="good">{words.done(parts, size(bytes))}</Notice>}
    >
      <PurposeChoice value={purpose} onChange={setPurpose} />
    </Act>
  );
}
