import {
  type Environment,
  isBehind,
  type KycChangePage,
  type KycChanges,
  maxChangesOfPage,
  positionBeyondPresent,
  toKycUpdated,
} from "@cardbridge/domain";
import { and, asc, count, eq, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { kycHistory, kycRecords } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";

const { placeholder } = sql;

/** No transaction that may still write has a lower id. */
export const oldestRunning = sql`audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

const statements = perConnection((tx) => {
  const position = sql`(${kycHistory.txid}, ${kycHistory.id})`;
  const isAfter = sql`${position} > (${placeholder("txid")}::bigint, ${placeholder("id")}::bigint)`;
  const earlier = alias(kycHistory, "earlier");
  const isEarlier = and(
    eq(earlier.platformId, kycHistory.platformId),
    eq(earlier.recordId, kycHistory.recordId),
    lte(earlier.id, kycHistory.id),
  );
  return {
    present: tx
      .select({ txid: sql<string>`${oldestRunning}::text` })
      .from(sql`(values (1)) as one`)
      .prepare("kyc_changes_present"),
    // Writers lock the record, so the ids of its history rows are in the order of its changes.
    changes: tx
      .select({
        txid: kycHistory.txid,
        id: kycHistory.id,
        observedAt: kycHistory.observedAt,
        kycRecordId: kycHistory.recordId,
        externalUserId: kycRecords.userId,
        sequence: sql<number>`(${tx.select({ count: count() }).from(earlier).where(isEarlier)})::int`,
        state: {
          resolution: kycHistory.resolution,
          status: kycHistory.status,
          subStatus: kycHistory.subStatus,
          cardAccountId: kycHistory.cardAccountId,
          revision: kycHistory.revision,
          explanation: kycHistory.explanation,
        },
      })
      .from(kycHistory)
      .innerJoin(
        kycRecords,
        and(eq(kycRecords.platformId, kycHistory.platformId), eq(kycRecords.id, kycHistory.recordId)),
      )
      .where(
        and(
          eq(kycHistory.platformId, placeholder("platformId")),
          isAfter,
          sql`${kycHistory.txid} < ${oldestRunning}`,
        ),
      )
      .orderBy(asc(kycHistory.txid), asc(kycHistory.id))
      .limit(maxChangesOfPage + 1)
      .prepare("kyc_changes"),
  };
});

/** Reads the changes of records in the order of their commits, in one round trip. */
export function kycChangeReader(database: Database, environment: Environment): KycChanges {
  return {
    async after(platformId, lastEventId) {
      const page = await database.asPlatform<KycChangePage | undefined>(platformId, async (tx) => {
        // Read first: the changes, which are read after it, contain every older change.
        const present = statements(tx).present.execute();
        if (lastEventId === undefined) {
          return pipelineCommit([present], ([rows]) => ({
            changes: [],
            lastEventId: startOf(rows),
            more: false,
          }));
        }
        const [txid, id] = lastEventId.split("-");
        const found = statements(tx).changes.execute({ platformId, txid, id });
        return pipelineCommit([present, found], ([now, rows]) => {
          const end = startOf(now);
          if (isBehind(end, lastEventId)) return;
          const changes = rows.slice(0, maxChangesOfPage).map(({ txid, id, observedAt, state, ...ids }) => ({
            id: `${txid}-${id}`,
            type: "kyc.updated" as const,
            environment,
            timestamp: observedAt.toISOString(),
            data: toKycUpdated(ids, state),
          }));
          const more = rows.length > maxChangesOfPage;
          const last = changes.at(-1)?.id ?? end;
          // The second statement may find changes newer than `end`. The next page must not repeat them.
          return { changes, lastEventId: more || isBehind(end, last) ? last : end, more };
        });
      });
      if (!page) throw positionBeyondPresent();
      return page;
    },
  };
}

/** The position before every change that is not in the result. */
function startOf([row]: readonly { txid: string }[]): string {
  return `${row?.txid ?? 0}-0`;
}
