import type { AuditEntry } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { client } from "../api/client.ts";
import { download } from "../lib/download.ts";
import { number } from "../lib/numbers.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { toCsv } from "./csv.ts";
import type { AuditFilter } from "./filter.ts";
import { words } from "./words.ts";

const { csv: say } = words;

/** The most entries of one file, as of one proof. */
const maxEntries = 5_000;

/** Saves the found entries for a spreadsheet, with the names of persons. */
export function CsvButton({ filter, name }: { filter: AuditFilter; name: string }) {
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => {
      reading.current = new AbortController();
      const { entries, more } = await readEntries(filter, reading.current.signal);
      const csv = toCsv([say.columns, ...entries.map(rowOf)]);
      download(`${name}.csv`, new Blob([csv], { type: "text/csv;charset=utf-8" }));
      return { count: number(entries.length), more };
    },
  });
  return (
    <>
      <div role="status" className="w-full empty:hidden">
        {data && (
          <Notice meaning={data.more ? "attention" : "good"}>
            {data.more ? say.cut(data.count) : say.done(data.count)}
          </Notice>
        )}
        <ActError error={error} reads />
      </div>
      <Button disabled={isPending} onClick={() => mutate()}>
        {isPending ? say.running : say.act}
      </Button>
    </>
  );
}

/** Reads the entries of a search page by page. */
async function readEntries(filter: AuditFilter, signal: AbortSignal) {
  const entries: AuditEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { ...filter, limit: 200, ...(cursor ? { cursor } : {}) };
    const page = await client.audit.list.query(input, { signal });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < maxEntries);
  return { entries: entries.slice(0, maxEntries), more: cursor !== null || entries.length > maxEntries };
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
