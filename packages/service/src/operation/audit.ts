import {
  type AuditEntry,
  type AuditOutcome,
  type EvidencePurpose,
  evidencePurpose,
  Failure,
  isRecord,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { unavailable } from "../database/errors.ts";
import { auditEntryColumns } from "../database/schema.ts";
import { perConnection, pipelineCommit, type Tx } from "../database/statements.ts";
import { type OperationCall, originOf } from "./call.ts";

const { placeholder } = sql;

/** The insertable columns of audit_entries. Drizzle's insert lists every column of its table, granted or not. */
export const newEntries = pgTable("audit_entries", auditEntryColumns());

export const entryRow = {
  platformId: placeholder("platformId"),
  actor: placeholder("actor"),
  operation: placeholder("operation"),
  subject: placeholder("subject"),
  outcome: placeholder("outcome"),
  requestId: placeholder("requestId"),
  address: placeholder("address"),
  purpose: placeholder("purpose"),
};

const read = sql`${placeholder("actor")}, ${placeholder("operation")}, ${placeholder("subject")}, ${placeholder("requestId")}, ${placeholder("address")}`;

const statements = perConnection((tx) => ({
  insertEntry: tx.insert(newEntries).values(entryRow).prepare("audit_insert_entry"),
  // Appends the first read of a day, and counts the others.
  appendRead: tx
    .select({ isFirst: sql<boolean>`is_first` })
    .from(sql`audit_read(${read}) as is_first`)
    .prepare("audit_append_read"),
  // Appends an entry unless the same actor read the same subject in this hour.
  appendHourly: tx
    .select({ isFirst: sql<boolean>`is_first` })
    .from(sql`audit_hourly(${read}) as is_first`)
    .prepare("audit_append_hourly"),
}));

/** Adds an entry within a transaction: both commit or roll back together. */
export function appendEntry(tx: Tx, platformId: string, entry: AuditEntry): Promise<unknown> {
  return statements(tx).insertEntry.execute({ platformId, ...entry, purpose: entry.purpose ?? null });
}

/** Adds the entry of a call that is done, within the transaction of its change, on the call's platform. */
export function audit(tx: Tx, call: OperationCall, subject: string | null): Promise<unknown> {
  return appendEntry(tx, call.platformId, { ...originOf(call), subject, outcome: "done" });
}

/** What a declaration says about the audit of an operation. */
export interface Audited {
  audit: readonly AuditOutcome[];
  polled?: true;
  oncePerHour?: true;
}

/**
 * Audits the outcome of a call in its own transaction, if the declaration lists it.
 * @throws Failure SERVICE_UNAVAILABLE if the entry cannot be written: a call fails if its audit fails.
 */
export async function auditOutcome(
  database: Database,
  call: OperationCall,
  { audit: audited, polled, oncePerHour }: Audited,
  { outcome, subject, raw }: { outcome: AuditOutcome; subject: string | null; raw: unknown },
): Promise<void> {
  if (!audited.includes(outcome)) return;
  const { platformId } = call;
  const entry = { ...originOf(call), subject, outcome, purpose: purposeOf(raw) };
  const isRepeated = outcome === "done" && subject !== null;
  function statement(tx: Tx): Promise<unknown> {
    // Other callers may read any platform's results, so each of their reads has an entry.
    if (isRepeated && polled && call.kind === "platform") return statements(tx).appendRead.execute(entry);
    if (isRepeated && oncePerHour) return statements(tx).appendHourly.execute(entry);
    return appendEntry(tx, platformId, entry);
  }
  const written = database.asPlatform(platformId, async (tx) =>
    pipelineCommit([statement(tx)], () => undefined),
  );
  await written.catch((error: unknown) => {
    throw error instanceof Failure ? error : unavailable(error);
  });
}

/** The purpose of a read of personal data; undefined for a call without one. */
function purposeOf(raw: unknown): EvidencePurpose | undefined {
  return evidencePurpose.safeParse(isRecord(raw) ? raw.purpose : undefined).data;
}
