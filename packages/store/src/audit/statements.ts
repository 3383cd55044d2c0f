import type { AuditEntry } from "@cardbridge/domain";
import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { auditEntries, auditEntryColumns, auditSeals } from "../schema.ts";
import { perConnection, type Tx } from "../statements.ts";

const given = sql.placeholder;

/** The table of entries to whoever notes: drizzle's insert would name its other columns too, which are not ours. */
export const notes = pgTable("audit_entries", auditEntryColumns());

export const noteRow = {
  platformId: given("platformId"),
  actor: given("actor"),
  operation: given("operation"),
  subject: given("subject"),
  outcome: given("outcome"),
  requestId: given("requestId"),
  address: given("address"),
};

const { platformId: _given, ...entry } = getTableColumns(auditEntries);
const place = sql`(${auditEntries.txid}, ${auditEntries.id})`;
const isBehind = sql`${place} > (${given("txid")}::bigint, ${given("id")}::bigint)`;
const isUpTo = sql`${place} <= (${given("lastTxid")}::bigint, ${given("lastId")}::bigint)`;
/** Whatever could still add an entry before this one has ended. */
const isSettled = sql`${auditEntries.txid} < audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

/** A place in the order in which entries are sealed. */
export interface Position {
  txid: bigint;
  id: bigint;
}

/** The statements behind the audit, prepared once per connection. */
export const auditStatements = perConnection((tx) => {
  const isOfPlatform = eq(auditEntries.platformId, given("platformId"));
  const sealOfPlatform = eq(auditSeals.platformId, given("platformId"));
  const inOrder = (also: SQL) =>
    tx
      .select(entry)
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind, also))
      .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
      .limit(given("most"));
  return {
    note: tx.insert(notes).values(noteRow).prepare("audit_note"),

    settledEntries: inOrder(isSettled).prepare("audit_settled_entries"),
    entriesUpTo: inOrder(isUpTo).prepare("audit_entries_up_to"),

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
      .limit(given("most"))
      .prepare("audit_newest_entries"),

    lastSeal: tx
      .select()
      .from(auditSeals)
      .where(sealOfPlatform)
      .orderBy(desc(auditSeals.number))
      .limit(1)
      .prepare("audit_last_seal"),

    sealsBehind: tx
      .select()
      .from(auditSeals)
      .where(and(sealOfPlatform, gt(auditSeals.number, given("number"))))
      .orderBy(asc(auditSeals.number))
      .limit(given("most"))
      .prepare("audit_seals_behind"),

    // Waits for another one of this number to be committed, and then adds none.
    insertSeal: tx
      .insert(auditSeals)
      .values({
        platformId: given("platformId"),
        number: given("number"),
        firstTxid: given("firstTxid"),
        firstId: given("firstId"),
        lastTxid: given("lastTxid"),
        lastId: given("lastId"),
        count: given("count"),
        digest: given("digest"),
        previousHash: given("previousHash"),
        hash: given("hash"),
        sealedAt: given("sealedAt"),
      })
      .onConflictDoNothing()
      .returning({ number: auditSeals.number })
      .prepare("audit_insert_seal"),
  };
});

/** Adds an entry within a transaction: it stands when that is committed, and not otherwise. */
export function note(tx: Tx, platformId: string, entry: AuditEntry): Promise<unknown> {
  return auditStatements(tx).note.execute({ platformId, ...entry });
}
