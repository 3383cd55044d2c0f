import {
  isBehind,
  maxChangesOfPage,
  type PersonPlatforms,
  positionBeyondPresent,
  type RecordChangePage,
  statusOf,
} from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycHistory, kycRecords } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { oldestRunning } from "../kyc/changes.ts";

/** Reads the changes of several platforms after a position; see the port for the contract. */
export async function readChanges(
  database: Database,
  platforms: PersonPlatforms,
  lastEventId: string | undefined,
): Promise<RecordChangePage> {
  const page = await database.asOperators<RecordChangePage | undefined>(platforms, async (tx) => {
    // Read first: the changes, which are read after it, contain every older change.
    const present = tx.execute<{ txid: string }>(sql`select ${oldestRunning}::text as txid`);
    if (lastEventId === undefined) {
      return pipelineCommit([present], ([{ rows }]) => ({
        changes: [],
        lastEventId: startOf(rows),
        more: false,
      }));
    }
    return pipelineCommit([present, selectChanges(tx, platforms, lastEventId)], ([now, rows]) => {
      const end = startOf(now.rows);
      if (isBehind(end, lastEventId)) return;
      const changes = rows.slice(0, maxChangesOfPage).map(({ txid, id, resolution, status, ...change }) => ({
        id: `${txid}-${id}`,
        ...change,
        status: statusOf({ resolution, status }),
      }));
      const more = rows.length > maxChangesOfPage;
      const last = changes.at(-1)?.id ?? end;
      // The second statement may find changes newer than `end`. The next page must not repeat them.
      return { changes, lastEventId: more || isBehind(end, last) ? last : end, more };
    });
  });
  if (!page) throw positionBeyondPresent();
  return page;
}

function selectChanges(tx: Tx, platforms: PersonPlatforms, lastEventId: string) {
  return (
    tx
      .select({
        txid: kycHistory.txid,
        id: kycHistory.id,
        timestamp: shownMoment(sql`${kycHistory.observedAt}`),
        platformId: kycHistory.platformId,
        kycRecordId: kycHistory.recordId,
        externalUserId: kycRecords.userId,
        resolution: kycHistory.resolution,
        status: kycHistory.status,
      })
      .from(kycHistory)
      .innerJoin(
        kycRecords,
        and(eq(kycRecords.platformId, kycHistory.platformId), eq(kycRecords.id, kycHistory.recordId)),
      )
      // An array is read once. A join could repeat it for each record.
      .where(sql`${kycHistory.id} = any(array(${nextIds(platforms, lastEventId)}))`)
      .orderBy(kycHistory.txid, kycHistory.id)
  );
}

/** The ids of the next changes. Named platforms are read one by one, so that the changes of others cost nothing. */
export function nextIds(platforms: PersonPlatforms, lastEventId: string): SQL {
  const [txid, id] = lastEventId.split("-");
  const next = (isNamed?: SQL) => sql`
    select ${kycHistory.txid} as txid, ${kycHistory.id} as id from ${kycHistory}
    where ${and(
      isNamed,
      sql`(${kycHistory.txid}, ${kycHistory.id}) > (${txid}::bigint, ${id}::bigint)`,
      sql`${kycHistory.txid} < ${oldestRunning}`,
    )}
    order by ${kycHistory.txid}, ${kycHistory.id} limit ${maxChangesOfPage + 1}`;
  const found =
    platforms === "all"
      ? sql`(${next()})`
      : sql`unnest(${sql.param([...platforms])}::text[]) as platform (id)
          cross join lateral (${next(sql`${kycHistory.platformId} = platform.id`)})`;
  return sql`select found.id from ${found} as found order by found.txid, found.id limit ${maxChangesOfPage + 1}`;
}

function startOf(rows: readonly { txid: string }[]): string {
  return `${requireRow(rows, "position").txid}-0`;
}
