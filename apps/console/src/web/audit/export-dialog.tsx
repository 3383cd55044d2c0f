import type { AuditEntry } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { client } from "../api/client.ts";
import { download } from "../lib/download.ts";
import { number } from "../lib/numbers.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { Progress } from "../ui/progress.tsx";
import { ErrorState } from "../ui/states.tsx";
import { toCsv } from "./csv.ts";
import { type AuditSearch, toAuditInput } from "./filter.ts";
import { words } from "./words.ts";

const { export: say } = words;

/** Exports the found entries. Closing it, or Stop, ends the reading. */
export function ExportDialog({ search, onClose }: { search: AuditSearch; onClose(): void }) {
  const [soFar, setSoFar] = useState(0);
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: async () => {
      reading.current = new AbortController();
      setSoFar(0);
      const exported = await exportEntries(search, setSoFar, reading.current.signal);
      const day = new Date().toISOString().slice(0, 10);
      download(`audit-${day}.csv`, new Blob([exported.csv], { type: "text/csv;charset=utf-8" }));
      return exported;
    },
  });
  const stop = () => {
    reading.current?.abort();
    reset();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={say.title}>
      <p className="text-muted">{say.text}</p>
      <div role="status" className="my-4 min-h-10">
        {isPending && <Progress value={soFar} text={say.running(number(soFar))} />}
        {data && (
          <Notice meaning={data.more ? "attention" : "good"}>
            {data.more ? say.cut(number(data.entries)) : say.done(number(data.entries))}
          </Notice>
        )}
        {error && <ErrorState error={error} />}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={isPending ? stop : onClose}>{isPending ? say.stop : shared.close}</Button>
        {!data && (
          <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
            {say.act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The most entries of one file. */
const maxExported = 5_000;

interface Exported {
  csv: string;
  entries: number;
  /** Whether the search has more entries than the file. */
  more: boolean;
}

/** Reads the entries of a search page by page, and makes a CSV file of them. */
async function exportEntries(
  search: AuditSearch,
  progress: (entries: number) => void,
  signal: AbortSignal,
): Promise<Exported> {
  const filter = toAuditInput(search, Date.now());
  const entries: AuditEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { ...filter, limit: 200, ...(cursor ? { cursor } : {}) };
    const page = await client.audit.list.query(input, { signal });
    entries.push(...page.entries);
    cursor = page.nextCursor;
    progress(Math.min(entries.length, maxExported));
  } while (cursor !== null && entries.length < maxExported);
  const more = cursor !== null || entries.length > maxExported;
  const kept = entries.slice(0, maxExported);
  return { csv: toCsv([words.export.columns, ...kept.map(rowOf)]), entries: kept.length, more };
}

const rowOf = (entry: AuditEntry): (string | number | null)[] => [
  entry.at,
  entry.by?.name ?? null,
  entry.person,
  entry.actor,
  entry.operation,
  entry.subject,
  entry.purpose,
  entry.outcome,
  entry.platformId,
  entry.address,
  entry.requestId,
  entry.count,
  entry.id,
];
