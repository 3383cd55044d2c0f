import { useEffect, useRef, useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { download } from "../../lib/download.ts";
import { shortId } from "../../lib/ids.ts";
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
  size: (bytes: number) =>
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`,
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
    let done: Progress = { parts: 0, bytes: 0 };
    const report = (next: Progress) => {
      done = next;
      setProgress(next);
    };
    const of = { platformId, externalUserId, purpose: given };
    download(`${externalUserId}.zip`, await exportArchive(of, report, left.current.signal));
    return done;
  };
  return (
    <Act
      {...words}
      reads
      happens={words.happens(shortId(externalUserId))}
      running={progress ? words.soFar(progress.parts, words.size(progress.bytes)) : shared.queue.loading}
      recent
      onStart={() => {
        setPurpose(undefined);
        setProgress(undefined);
      }}
      run={purpose && (() => exportFor(purpose))}
      result={({ parts, bytes }) => <Notice meaning="good">{words.done(parts, words.size(bytes))}</Notice>}
    >
      <PurposeChoice value={purpose} onChange={setPurpose} />
    </Act>
  );
}
