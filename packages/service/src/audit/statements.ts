import { and, asc, desc, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import { auditCheckpoints, auditEntries } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";

const { placeholder } = sql;

const { platformId: _platformId, ...entry } = getTableColumns(auditEntries);
const position = sql`(${auditEntries.txid}, ${auditEntries.id})`;
const isBehind = sql`${position} > (${placeholder("txid")}::bigint, ${placeholder("id")}::bigint)`;
const isUpTo = sql`${position} <= (${placeholder("lastTxid")}::bigint, ${placeholder("lastId")}::bigint)`;
const isSince = sql`${auditEntries.at} >= ${placeholder("since")}::timestamptz`;
const isAbout = sql`${auditEntries.subject} = any(${placeholder("subjects")}::text[])`;
/** Every transaction that could still add an earlier entry has ended. */
const isCommitted = sql`${auditEntries.txid} < audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

/** A position in the order in which checkpoints cover entries. */
export interface Position {
  txid: bigint;
  id: bigint;
}

/** The statements of the audit, prepared once per connection. */
export const auditStatements = perConnection((tx) => {
  const isOfPlatform = eq(auditEntries.platformId, placeholder("platformId"));
  const isCheckpointOfPlatform = eq(auditCheckpoints.platformId, placeholder("platformId"));
  const nextEntries = (condition: SQL) =>
    tx
      .select(entry)
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind, condition))
      .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
      .limit(placeholder("limit"));
  const lastCheckpoint = (condition?: SQL) =>
    tx
      .select()
      .from(auditCheckpoints)
      .where(and(isCheckpointOfPlatform, condition))
      .orderBy(desc(auditCheckpoints.number))
      .limit(1);
  return {
    committedEntries: nextEntries(isCommitted).prepare("audit_committed_entries"),
    entriesUpTo: nextEntries(isUpTo).prepare("audit_entries_up_to"),

    countBehind: tx
      .select({ count: sql<number>`count(*)::int` })
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind))
      .prepare("audit_count_behind"),

    // The end of a batch of entries; none after the last batch.
    positionBehind: tx
      .select({ txid: auditEntries.txid, id: auditEntries.id })
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind, isSince))
      .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
      .offset(placeholder("skip"))
      .limit(1)
      .prepare("audit_position_behind"),

    entriesAbout: tx
      .select(entry)
      .from(auditEntries)
      .where(and(isOfPlatform, isBehind, isUpTo, isSince, isAbout))
      .orderBy(asc(auditEntries.txid), asc(auditEntries.id))
      .prepare("audit_entries_about"),

    lastCheckpoint: lastCheckpoint().prepare("audit_last_checkpoint"),
    // Checkpoints are numbered from 1: ignore a forged checkpoint 0.
    lastCheckpointUpTo: lastCheckpoint(
      and(gt(auditCheckpoints.number, 0), lte(auditCheckpoints.number, placeholder("number"))),
    ).prepare("audit_last_checkpoint_up_to"),

    checkpointsBehind: tx
      .select()
      .from(auditCheckpoints)
      .where(and(isCheckpointOfPlatform, gt(auditCheckpoints.number, placeholder("number"))))
      .orderBy(asc(auditCheckpoints.number))
      .limit(placeholder("limit"))
      .prepare("audit_checkpoints_behind"),

    // The ends of checkpoints, without their hashes.
    checkpointEnds: tx
      .select({
        number: auditCheckpoints.number,
        txid: auditCheckpoints.lastTxid,
        id: auditCheckpoints.lastId,
      })
      .from(auditCheckpoints)
      .where(
        and(
          isCheckpointOfPlatform,
          gt(auditCheckpoints.number, placeholder("number")),
          sql`${auditCheckpoints.createdAt} >= ${placeholder("since")}::timestamptz`,
        ),
      )
      .orderBy(asc(auditCheckpoints.number))
      .limit(placeholder("limit"))
      .prepare("audit_checkpoint_ends"),

    // Waits for a concurrent insert of the same number to commit, then inserts nothing.
    insertCheckpoint: tx
      .insert(auditCheckpoints)
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
        root: placeholder("root"),
        hash: placeholder("hash"),
        createdAt: placeholder("createdAt"),
      })
      .onConflictDoNothing()
      .returning({ number: auditCheckpoints.number })
      .prepare("audit_insert_checkpoint"),
  };
});
