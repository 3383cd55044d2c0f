import type { AuditEntry } from "@cardbridge/trpc-client";
import { client } from "../api/client.ts";
import { type Row, toCsv } from "./csv.ts";
import type { AuditFilter } from "./filter.ts";

/** The most entries of one file, as of one proof. */
const maxEntries = 5_000;

const words = {
  columns: [
    ...["when", "person", "person id", "actor", "operation", "about", "purpose", "outcome", "platform"],
    ...["address", "request", "count", "entry"],
  ],
} as const;

/** The entries that a filter finds as a table in CSV, newest first, with the names of persons. */
export async function readTable(filter: AuditFilter): Promise<{ csv: string; count: number; more: boolean }> {
  const entries: AuditEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await client.audit.list.query({ ...filter, limit: 200, ...(cursor ? { cursor } : {}) });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < maxEntries);
  const kept = entries.slice(0, maxEntries);
  const more = cursor !== null || entries.length > maxEntries;
  return { csv: toCsv([words.columns, ...kept.map(rowOf)]), count: kept.length, more };
}

const rowOf = (entry: AuditEntry): Row => [
  ...[entry.at, entry.by?.name ?? null, entry.person, entry.actor, entry.operation, entry.subject],
  ...[entry.purpose, entry.outcome, entry.platformId, entry.address, entry.requestId, entry.count, entry.id],
];
