import { type DeliverySearchQuery, maxRowsOfSearch } from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { Scanned } from "../paging/merge-scans.ts";
import type { SearchPosition } from "../paging/order.ts";
import { toMicroseconds, toMoment } from "../paging/order.ts";
import { eventOfDelivery } from "./select-deliveries.ts";

/** A scan of an endpoint's deliveries, newest first. */
export interface Scan {
  platformId: string;
  endpointId: string;
  /** The last read delivery. */
  before: SearchPosition;
}

export interface ScanRow extends Record<string, unknown>, SearchPosition, Scanned {
  platformId: string;
}

export type DeliveryFilter = Pick<
  DeliverySearchQuery,
  "endpointId" | "status" | "type" | "kycRecordId" | "createdAfter" | "createdBefore"
>;

/** One scan for each visible endpoint: an index has the deliveries of each in the order of their creation. */
export async function scansOf(
  tx: Tx,
  { endpointId }: DeliveryFilter,
  before: SearchPosition,
): Promise<Scan[]> {
  const endpoints = await tx
    .select({ platformId: webhookEndpoints.platformId, endpointId: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        isNull(webhookEndpoints.deletedAt),
        endpointId === undefined ? undefined : eq(webhookEndpoints.id, endpointId),
      ),
    )
    .limit(maxRowsOfSearch);
  return endpoints.map((endpoint) => ({ ...endpoint, before }));
}

/** Reads the next deliveries of scans, up to `limit` of each: the matching ones, and the last one of each scan. */
export function readScans(filter: DeliveryFilter, scans: readonly Scan[], limit: number): SQL<ScanRow> {
  const { createdAt, id } = webhookDeliveries;
  const condition = and(
    ofScan(filter),
    sql`(${createdAt}, ${id}) < (${toMoment(sql`scan.at`)}, scan.id)`,
    isCreatedWithin(filter),
  );
  return sql<ScanRow>`
    select scan::int, platform_id as "platformId", (${toMicroseconds(sql`created_at`)})::float8 as at, id, matches,
      read::int
    from (
      select scan.number as scan, scan.platform_id, found.*,
        row_number() over (partition by scan.number order by found.created_at desc, found.id desc) as nth,
        count(*) over (partition by scan.number) as read
      from unnest(
        ${sql.param(scans.map((scan) => scan.platformId))}::text[],
        ${sql.param(scans.map((scan) => scan.endpointId))}::text[],
        ${sql.param(scans.map(({ before }) => before.at))}::bigint[],
        ${sql.param(scans.map(({ before }) => before.id))}::text[]
      ) with ordinality as scan (platform_id, endpoint_id, at, id, number)
      cross join lateral (
        select ${createdAt} as created_at, ${id} as id, ${isOfType(filter)} as matches
        from ${webhookDeliveries} where ${condition}
        order by ${createdAt} desc, ${id} desc
        limit ${limit}
      ) as found
    ) as rows
    where matches or nth = read
    order by created_at desc, id desc`;
}

/** The deliveries of a scan, with what an index selects: the record, or the endpoint and the status. */
export function ofScan({ status, kycRecordId }: DeliveryFilter): SQL | undefined {
  const isOfEndpoint = sql`${webhookDeliveries.endpointId} = scan.endpoint_id`;
  return and(
    // The planner must look the record up, and not read the whole endpoint in its order.
    kycRecordId === undefined ? isOfEndpoint : sql`(${isOfEndpoint}) is true`,
    kycRecordId === undefined
      ? undefined
      : and(
          sql`${webhookDeliveries.platformId} = scan.platform_id`,
          eq(webhookDeliveries.recordId, kycRecordId),
        ),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
  );
}

export function isCreatedWithin({ createdAfter, createdBefore }: DeliveryFilter): SQL | undefined {
  const { createdAt } = webhookDeliveries;
  return and(
    createdAfter === undefined ? undefined : sql`${createdAt} >= ${createdAfter}::timestamptz`,
    createdBefore === undefined ? undefined : sql`${createdAt} <= ${createdBefore}::timestamptz`,
  );
}

/** The type is in the delivery's event. */
export function isOfType({ type }: DeliveryFilter): SQL {
  return type === undefined
    ? sql`true`
    : sql`exists (select from ${webhookEvents} where ${and(eventOfDelivery, sql`${webhookEvents.type} = ${type}`)})`;
}
