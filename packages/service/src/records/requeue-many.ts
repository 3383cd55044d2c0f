import { maxCounted, requeuedMany, requeueManyInput } from "@cardbridge/domain";
import { and, eq, gte, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { indexesOnly } from "../paging/order.ts";
import { requeued } from "./requeue.ts";

/** Requeues the records of several platforms that need attention. */
export const requeueRecords = defineOperation({
  ...forOperators("ops.records.act"),
  reach: "platforms",
  id: "records.requeueMany",
  kind: "write",
  summary: "Requeue many records",
  description:
    "Makes the records that need attention and match the filter due now, oldest first, up to `limit`. With `preview`, it " +
    "counts them only. Each requeued record has its audit entry. Repeat the call while more is true.",
  input: requeueManyInput,
  rules: [],
  output: requeuedMany,
  example: { input: { preview: true }, output: { matching: 12, requeued: 0, more: true } },
  errors: ["PLATFORM_NOT_FOUND"],
  // `run` audits each record in the transaction of its platform.
  audit: [],

  async run({ database }, call, { platformIds, preview, limit, createdAfter, createdBefore }) {
    const platforms = namedPlatforms(call, platformIds);
    if (platforms !== "all" && platforms.length === 0) {
      return { data: { matching: 0, requeued: 0, more: false } };
    }
    const isWaiting = and(
      isNotNull(kycRecords.needsAttentionSince),
      platforms === "all" ? undefined : inArray(kycRecords.platformId, [...platforms]),
      createdAfter === undefined ? undefined : gte(kycRecords.createdAt, sql`${createdAfter}::timestamptz`),
      createdBefore === undefined ? undefined : lte(kycRecords.createdAt, sql`${createdBefore}::timestamptz`),
    );
    const { matching, oldest } = await database.asOperators(platforms, (tx) =>
      findWaiting(tx, isWaiting, preview ? 0 : limit),
    );
    let done = 0;
    for (const [platformId, records] of Map.groupBy(oldest, (record) => record.platformId)) {
      const ids = records.map(({ id }) => id);
      done += await database.asPlatform<number>(platformId, async (tx) => {
        const changed = await requeueOf(tx, platformId, ids);
        const entries = changed.map(({ id }) => audit(tx, { ...call, platformId }, id));
        return pipelineCommit(entries, () => changed.length);
      });
    }
    return { data: { matching, requeued: done, more: matching > oldest.length } };
  },
});

/** The number of records, up to 10,000, and the oldest of them. */
async function findWaiting(tx: Tx, isWaiting: SQL | undefined, limit: number) {
  const waiting = tx.select({ id: kycRecords.id }).from(kycRecords).where(isWaiting).limit(maxCounted);
  const [, counted, oldest] = await Promise.all([
    tx.execute(indexesOnly),
    tx.select({ count: sql<number>`count(*)::int` }).from(waiting.as("waiting")),
    tx
      .select({ id: kycRecords.id, platformId: kycRecords.platformId })
      .from(kycRecords)
      .where(isWaiting)
      // The order of the index, although the columns have no nulls.
      .orderBy(sql`${kycRecords.createdAt} nulls first`, sql`${kycRecords.id} collate "C"`)
      .limit(limit),
  ]);
  return { matching: requireRow(counted, "count").count, oldest };
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
