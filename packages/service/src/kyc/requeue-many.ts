import { type KycAdmin, maxCounted } from "@cardbridge/domain";
import { and, eq, gte, inArray, isNotNull, lte, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { appendEntry } from "../operation/audit.ts";
import { indexesOnly } from "../search/order.ts";

/** What a requeue sets: the record is due now, or when the attempt that owns it ends, and is asked about first. */
export const requeued = {
  needsAttentionSince: null,
  requeuedAt: sql`clock_timestamp()`,
  step: "ask" as const,
  notFound: 0,
  // An operator's attempt may own the record.
  dueAt: sql`greatest(clock_timestamp(), ${kycRecords.leaseUntil})`,
};

/** Requeues the records of several platforms that need attention; see the port for the contract. */
export function requeueMany(database: Database): KycAdmin["requeueMany"] {
  return async (platforms, { createdAfter, createdBefore }, limit, by) => {
    const condition = and(
      isNotNull(kycRecords.needsAttentionSince),
      platforms === "all" ? undefined : inArray(kycRecords.platformId, [...platforms]),
      createdAfter === undefined ? undefined : gte(kycRecords.createdAt, sql`${createdAfter}::timestamptz`),
      createdBefore === undefined ? undefined : lte(kycRecords.createdAt, sql`${createdBefore}::timestamptz`),
    );
    if (platforms !== "all" && platforms.length === 0) return { matching: 0, requeued: 0, more: false };
    const { matching, oldest } = await database.asOperators(platforms, async (tx) => {
      const waiting = tx.select({ id: kycRecords.id }).from(kycRecords).where(condition).limit(maxCounted);
      const [, [counted], first] = await Promise.all([
        tx.execute(indexesOnly),
        tx.select({ count: sql<number>`count(*)::int` }).from(waiting.as("waiting")),
        tx
          .select({ id: kycRecords.id, platformId: kycRecords.platformId })
          .from(kycRecords)
          .where(condition)
          // The order of the index, although the columns have no nulls.
          .orderBy(sql`${kycRecords.createdAt} nulls first`, sql`${kycRecords.id} collate "C"`)
          .limit(limit),
      ]);
      return { matching: requireRow([counted], "count").count, oldest: first };
    });
    let done = 0;
    for (const [platformId, records] of Map.groupBy(oldest, (record) => record.platformId)) {
      const ids = records.map(({ id }) => id);
      done += await database.asPlatform<number>(platformId, async (tx) => {
        const changed = await requeueOf(tx, platformId, ids);
        const entries = changed.map(({ id }) =>
          appendEntry(tx, platformId, { ...by, subject: id, outcome: "done" }),
        );
        return pipelineCommit(entries, () => changed.length);
      });
    }
    return { matching, requeued: done, more: matching > oldest.length };
  };
}

/** A record that somebody else requeued in between needs no attention any more, and stays unchanged. */
function requeueOf(tx: Tx, platformId: string, ids: string[]) {
  return tx
    .update(kycRecords)
    .set(requeued)
    .where(
      and(
        eq(kycRecords.platformId, platformId),
        inArray(kycRecords.id, ids),
        isNotNull(kycRecords.needsAttentionSince),
      ),
    )
    .returning({ id: kycRecords.id });
}
