import {
  type DeliverySearchQuery,
  deliverySearchPage,
  deliverySearchQuery,
  type FoundDelivery,
  type PersonPlatforms,
} from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import {
  platforms as platformTable,
  webhookAttempts,
  webhookDeliveries,
  webhookEvents,
} from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { formatPosition, parsePosition } from "../paging/cursor.ts";
import { mergeScans } from "../paging/merge-scans.ts";
import type { SearchPosition } from "../paging/order.ts";
import { comparison, indexesOnly } from "../paging/order.ts";
import { readScans, type Scan, type ScanRow, scansOf } from "./delivery-scans.ts";
import { deliveryColumns, eventOfDelivery, exampleDelivery } from "./select-deliveries.ts";

const format = /^(\d{1,16})\.([\w-]{1,128})$/;
/** After every delivery: the year 9999, in microseconds. */
const newest: SearchPosition = { at: 253_370_764_800_000_000, id: "~" };

const exampleFound: FoundDelivery = {
  ...exampleDelivery,
  platformId: "plt_01jexample0000000000000000",
  platformName: "Example Ltd",
  status: "failed",
  lastStatus: 500,
  lastReason: null,
};

/** Searches the deliveries of all platforms that the caller may access. */
export const searchWebhookDeliveries = defineOperation({
  ...forOperators("ops.webhooks"),
  reach: "platforms",
  id: "webhooks.searchDeliveries",
  kind: "read",
  summary: "Search webhook deliveries",
  description:
    "Searches the deliveries of the last 30 days over the endpoints of the platforms that the caller may access, newest first.",
  input: deliverySearchQuery,
  rules: [],
  output: deliverySearchPage,
  example: {
    input: { status: "failed" },
    output: { deliveries: [exampleFound], nextCursor: null, narrow: false },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, call, query) {
    const platforms = namedPlatforms(call, query.platformIds);
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
    const nextCursor = next && formatPosition({ platforms, query }, [next.at, next.id]);
    return { data: { deliveries, nextCursor, narrow } };
  },
});

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
