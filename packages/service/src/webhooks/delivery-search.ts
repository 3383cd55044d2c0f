import type {
  DeliverySearchPage,
  DeliverySearchQuery,
  FoundDelivery,
  PersonPlatforms,
} from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import {
  platforms as platformTable,
  webhookAttempts,
  webhookDeliveries,
  webhookEvents,
} from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { formatPosition, parsePosition } from "../search/cursor.ts";
import { mergeScans } from "../search/merge-scans.ts";
import type { SearchPosition } from "../search/order.ts";
import { comparison, indexesOnly } from "../search/order.ts";
import { deliveryColumns } from "./delivery-columns.ts";
import { readScans, type Scan, type ScanRow, scansOf } from "./delivery-scans.ts";
import { eventOfDelivery } from "./read-deliveries.ts";

const format = /^(\d{1,16})\.([\w-]{1,128})$/;
/** After every delivery: the year 9999, in microseconds. */
const newest: SearchPosition = { at: 253_370_764_800_000_000, id: "~" };

/** Searches the deliveries of several platforms, newest first; see the port for the contract. */
export async function searchDeliveries(
  database: Database,
  platforms: PersonPlatforms,
  query: DeliverySearchQuery,
): Promise<DeliverySearchPage> {
  const { cursor, limit } = query;
  const start = cursor === undefined ? newest : toPosition(platforms, query, cursor);
  const { page, deliveries } = await database.asOperators(platforms, async (tx) => {
    const scans = await scansOf(tx, query, start);
    await tx.execute(indexesOnly);
    const page = await mergeScans<Scan, ScanRow>(scans, {
      read: async (scans, size) => (await tx.execute<ScanRow>(readScans(query, scans, size))).rows,
      continueAfter: (scan, { at, id }) => ({ ...scan, before: { at, id } }),
      compare: comparison("newest"),
      limit,
    });
    return { page, deliveries: await readRows(tx, page.rows) };
  });
  const { next, narrow } = page;
  return {
    deliveries,
    nextCursor: next && formatPosition({ platforms, query }, [next.at, next.id]),
    narrow,
  };
}

function toPosition(platforms: PersonPlatforms, query: DeliverySearchQuery, cursor: string): SearchPosition {
  const [at, id = ""] = parsePosition({ platforms, query }, cursor, format);
  return { at: Number(at), id };
}

/** The deliveries of a page with the response of their last attempt, without its text. */
async function readRows(tx: Tx, page: readonly ScanRow[]): Promise<FoundDelivery[]> {
  if (page.length === 0) return [];
  const { platformId, id } = webhookDeliveries;
  const last = tx
    .select({ status: webhookAttempts.status, reason: webhookAttempts.reason })
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.platformId, platformId), eq(webhookAttempts.deliveryId, id)))
    .orderBy(desc(webhookAttempts.lease))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({
      ...deliveryColumns,
      platformId,
      platformName: platformTable.name,
      lastStatus: last.status,
      lastReason: last.reason,
    })
    .from(
      sql`unnest(
        ${sql.param(page.map((row) => row.platformId))}::text[], ${sql.param(page.map((row) => row.id))}::text[]
      ) as page (platform_id, id)`,
    )
    .innerJoin(webhookDeliveries, and(eq(platformId, sql`page.platform_id`), eq(id, sql`page.id`)))
    .innerJoin(webhookEvents, eventOfDelivery)
    .innerJoin(platformTable, eq(platformTable.id, platformId))
    .leftJoinLateral(last, sql`true`);
  const byId = new Map(rows.map((row) => [row.deliveryId, row]));
  return page.flatMap((row) => byId.get(row.id) ?? []);
}
