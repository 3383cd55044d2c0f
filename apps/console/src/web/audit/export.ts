import type { AuditEntry } from "@cardbridge/trpc-client";
import { client } from "../api/client.ts";
import { toCsv } from "./csv.ts";
import { type AuditSearch, toAuditInput } from "./filter.ts";
import { words } from "./words.ts";

/** The most entries of one file. */
const maxExported = 5_000;

interface Exported {
  csv: string;
  entries: number;
  /** Whether the search has more entries than the file. */
  more: boolean;
}

/** Reads the entries of a search page by page, and makes a CSV file of them. */
export async function exportEntries(
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
