import type { AuditEntry } from "@cardbridge/domain";
import { and, asc, desc, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { auditEntries, auditEntryColumns, auditSeals } from "../schema.ts";
import { perConnection, type Tx } from "../statements.ts";

const { placeholder } = sql;

/** The insertable columns of audit_entries: drizzle's insert names every column of its table, also without a grant. */
export const newEntries = pgTable("audit_entries", auditEntryColumns());

export const entryRow = {
  platformId: placeholder("platformId"),
  actor: placeholder("actor"),
  operation: placeholder("operation"),
  subject: placeholder("subject"),
  outcome: placeholder("outcome"),
  requestId: placeholder("requestId"),
  address: placeholder("address"),
};

const { platformId: _platformId, ...entry } = getTableColumns(auditEntries);
const position = sql`(${auditEntries.txid}, ${auditEntries.id})`;
const isBehind = sql`${position} > (${placeholder("txid")}::bigint, ${placeholder("id")}::bigint)`;
const isUpTo = sql`${position} <= (${placeholder("lastTxid")}::bigint, ${placeholder("lastId")}::bigint)`;
/** Every transaction that could still add an earlier entry has ended. */
const isSettled = sql`${auditEntries.txid} < audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

/** A position in the order in which entries are sealed. */
export interface Position {
  txid: bigint;
  id: bigint;
}

/** The statements of the audit, prepared once per connection. */
export const auditStatements = perConnection((tx) => {
  const isOfPlatform = eq(auditEntries.platformId, placeholder("platformId"));
  const isSealOfPlatform = eq(auditSeals.platformId, placeholder("platformId"));
  const nextEntries = (condition: SQL) =>
    tx
      .select(entry)
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind, condition))
      .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
      .limit(placeholder("limit"));
  const lastSeal = (condition?: SQL) =>
    tx
      .select()
      .from(auditSeals)
      .where(and(isSealOfPlatform, condition))
      .orderBy(desc(auditSeals.number))
      .limit(1);
  return {
    insertEntry: tx.insert(newEntries).values(entryRow).prepare("audit_insert_entry"),

    settledEntries: nextEntries(isSettled).prepare("audit_settled_entries"),
    entriesUpTo: nextEntries(isUpTo).prepare("audit_entries_up_to"),

    countBehind: tx
      .select({ count: sql<number>`count(*)::int` })
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind))
      .prepare("audit_count_behind"),

    newestEntries: tx
      .select(entry)
      .from(auditEntries)
      .where(isOfPlatform)
      .orderBy(desc(auditEntries.txid), desc(auditEntries.id))
      .limit(placeholder("limit"))
      .prepare("audit_newest_entries"),

    lastSeal: lastSeal().prepare("audit_last_seal"),
    // Seals are numbered from 1: a forged seal 0 is no link.
    lastSealUpTo: lastSeal(
      and(gt(auditSeals.number, 0), lte(auditSeals.number, placeholder("number"))),
    ).prepare("audit_last_seal_up_to"),

    sealsBehind: tx
      .select()
      .from(auditSeals)
      .where(and(isSealOfPlatform, gt(auditSeals.number, placeholder("number"))))
      .orderBy(asc(auditSeals.number))
      .limit(placeholder("limit"))
      .prepare("audit_seals_behind"),

    // Waits for a concurrent insert of the same number to commit, and then inserts nothing.
    insertSeal: tx
      .insert(auditSeals)
      .values({
        platformId: placeholder("platformId"),
        number: placeholder("number"),
        firstTxid: placeholder("firstTxid"),
        firstId: placeholder("firstId"),
        lastTxid: placeholder("lastTxid"),
        lastId: placeholder("lastId"),
        count: placeholder("count"),
        digest: placeholder("digest"),
        previousHash: placeholder("previousHash"),
        hash: placeholder("hash"),
        sealedAt: placeholder("sealedAt"),
      })
      .onConflictDoNothing()
      .returning({ number: auditSeals.number })
      .prepare("audit_insert_seal"),
  };
});

/** Adds an entry within a transaction: it is committed or rolled back with it. */
export function appendEntry(tx: Tx, platformId: string, entry: AuditEntry): Promise<unknown> {
  return auditStatements(tx).insertEntry.execute({ platformId, ...entry });
}
