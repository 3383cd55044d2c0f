import {
  maxChangesOfPage,
  type PersonPlatforms,
  recordChangePage,
  recordChangesQuery,
  statusOf,
} from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { kycHistory, kycRecords } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { oldestRunning, readChanges } from "../kyc/changes.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleRow } from "./example.ts";

const { platformId, kycRecordId, externalUserId } = exampleRow;

/** Reads a page of the record changes of several platforms. The subscription records.changes sends these pages. */
export const listRecordChanges = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.listChanges",
  kind: "read",
  summary: "Read the record changes after a position",
  description:
    "Reads the changes of the records that the caller may access after a position, in the order of their commits, " +
    "without gaps. Without a position, it returns the current position and no changes.",
  input: recordChangesQuery,
  rules: [],
  output: recordChangePage,
  example: {
    input: { lastEventId: "81234-0" },
    output: {
      changes: [
        {
          id: "81240-52",
          timestamp: "2026-01-31T12:00:01.000Z",
          platformId,
          kycRecordId,
          externalUserId,
          status: "APPROVED",
        },
      ],
      lastEventId: "81250-0",
      more: false,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, call, { platformIds, lastEventId }) {
    const platforms = namedPlatforms(call, platformIds);
    const data = await readChanges(
      {
        within: (work) => database.asOperators(platforms, work),
        select: (tx, txid, id) => selectChanges(tx, nextIds(platforms, txid, id)),
        toChange: ({ resolution, status, ...change }) => ({
          ...change,
          status: statusOf({ resolution, status }),
        }),
      },
      lastEventId,
    );
    return { data };
  },
});

function selectChanges(tx: Tx, ids: SQL) {
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
      .where(sql`${kycHistory.id} = any(array(${ids}))`)
      .orderBy(kycHistory.txid, kycHistory.id)
  );
}

/** The ids of the next changes. Named platforms are read one by one, so that the changes of others cost nothing. */
export function nextIds(platforms: PersonPlatforms, txid: string, id: string): SQL {
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
