import {
  maxCounted,
  type PersonPlatforms,
  type RecordCounts,
  recordCounts,
  recordCountsQuery,
} from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { indexesOnly } from "../paging/order.ts";
import { type Assignees, assignedTo, hasExpiry, isOpen, needsAttention } from "./search-scans.ts";

/** Counts the records of all platforms that the caller may access. */
export const countRecords = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.counts",
  kind: "read",
  summary: "Count records",
  description:
    "Counts the records of the platforms that the caller may access: open records exactly, others up to 10,000.",
  input: recordCountsQuery,
  rules: [],
  output: recordCounts,
  example: {
    input: {},
    output: {
      needsAttention: 12,
      open: 340,
      assignedToMe: 3,
      oldestOpenAt: "2026-01-31T09:48:00.000Z",
      decided: {
        APPROVED: { count: 10_000, more: true },
        REJECTED: { count: 812, more: false },
        refused: { count: 95, more: false },
      },
      documentExpiry: { expiring: { count: 41, more: false }, expired: { count: 7, more: false } },
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, call, { platformIds }) {
    const platforms = namedPlatforms(call, platformIds);
    const { personId = null, roles = [] } = call.person ?? {};
    return {
      data: await database.asOperators(platforms, (tx) => countRows(tx, platforms, { personId, roles })),
    };
  },
});

const isDecided = and(isNull(kycRecords.dueAt), isNull(kycRecords.needsAttentionSince));
const count = sql<number>`count(*)::int`;

export const openCount = sql<{ count: number; oldest: string | null }>`
  select count(*)::int as count, min(${kycRecords.createdAt}) as oldest from ${kycRecords} where ${isOpen}`;

/** Counts the open records that are assigned to a person and to roles. */
const assignedCount = (to: Assignees): SQL => sql`
  select count(*)::int as count from (${assignedTo(to)}) as mine join ${kycRecords}
    on ${and(eq(kycRecords.platformId, sql`mine.platform_id`), eq(kycRecords.id, sql`mine.record_id`), isOpen)}`;

/** Counts the visible records: the open ones in partial indexes, the others up to a limit. */
async function countRows(tx: Tx, platforms: PersonPlatforms, mine: Assignees): Promise<RecordCounts> {
  const [, open, attention, assigned, ...limited] = await Promise.all([
    tx.execute(indexesOnly),
    tx.execute<{ count: number; oldest: string | null }>(openCount),
    tx.select({ count }).from(kycRecords).where(needsAttention),
    tx.execute<{ count: number }>(assignedCount(mine)),
    ...[
      and(eq(kycRecords.resolution, "answered"), eq(kycRecords.status, "APPROVED")),
      and(eq(kycRecords.resolution, "answered"), eq(kycRecords.status, "REJECTED")),
      eq(kycRecords.resolution, "refused"),
    ].map((condition) => tx.execute<{ count: number }>(decidedCount(platforms, condition))),
    ...(["expiring", "expired"] as const).map((expiry) => tx.execute<{ count: number }>(expiryCount(expiry))),
  ]);
  const [APPROVED, REJECTED, refused, expiring, expired] = limited.map(({ rows }) => {
    const { count } = requireRow(rows, "count");
    return { count: Math.min(count, maxCounted), more: count > maxCounted };
  });
  if (!APPROVED || !REJECTED || !refused || !expiring || !expired) throw new Error("A count is missing.");
  const { count: openRecords, oldest } = requireRow(open.rows, "count");
  return {
    open: openRecords,
    oldestOpenAt: oldest && new Date(oldest).toISOString(),
    needsAttention: requireRow(attention, "count").count,
    assignedToMe: requireRow(assigned.rows, "count").count,
    decided: { APPROVED, REJECTED, refused },
    documentExpiry: { expiring, expired },
  };
}

/** Counts one more record than the limit, at most. The index skips the records of other platforms. */
export const expiryCount = (expiry: "expiring" | "expired"): SQL =>
  sql`select count(*)::int from (select from ${kycRecords} where ${hasExpiry(expiry)} limit ${maxCounted + 1}) as counted`;

/** Counts one more decided record than the limit, at most. Named platforms are read one after the other. */
export function decidedCount(platforms: PersonPlatforms, condition: SQL | undefined): SQL {
  const isNamed = platforms === "all" ? undefined : sql`${kycRecords.platformId} = platform.id`;
  const source = sql`select from ${kycRecords} where ${and(isNamed, condition, isDecided)} limit ${maxCounted + 1}`;
  return platforms === "all"
    ? sql`select count(*)::int from (${source}) as counted`
    : sql`select count(*)::int from (
        select from unnest(${sql.param([...platforms])}::text[]) as platform (id)
        cross join lateral (${source}) as counted
        limit ${maxCounted + 1}
      ) as counted`;
}
