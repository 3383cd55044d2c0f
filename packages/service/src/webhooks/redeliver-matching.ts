import type { AuditOrigin, PersonPlatforms, RedeliveredMany, RedeliveryFilter } from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import { appendEntry } from "../operation/audit.ts";
import { indexesOnly } from "../search/order.ts";
import { isCreatedWithin, isOfType, ofScan } from "./delivery-scans.ts";
import { dueAgain, isLimited } from "./redeliver-delivery.ts";

/** The most deliveries that a call counts. */
const maxCounted = 10_000;

interface Redelivery {
  platforms: PersonPlatforms;
  filter: RedeliveryFilter;
  limit: number;
  by: AuditOrigin;
}

interface Row extends Record<string, unknown> {
  platform_id: string;
  id: string;
}

/**
 * Makes the oldest failed deliveries that match due now, in one transaction for each platform with its audit entries. A
 * call that fails in between leaves the platforms before: the next one continues. See the port for the contract.
 */
export async function redeliverMany(
  database: Database,
  { platforms, filter, limit, by }: Redelivery,
): Promise<RedeliveredMany> {
  const { matching, oldest } = await database.asOperators(platforms, async (tx) => {
    await tx.execute(indexesOnly);
    const [counted, found] = await Promise.all([
      tx.execute<{ count: number }>(countFailed(filter)),
      limit === 0 ? { rows: [] } : tx.execute<Row>(oldestFailed(filter, limit)),
    ]);
    return { matching: requireRow(counted.rows, "count").count, oldest: found.rows };
  });
  let redelivered = 0;
  for (const [platformId, rows] of Map.groupBy(oldest, (row) => row.platform_id)) {
    const ids = rows.map(({ id }) => id);
    redelivered += await redeliver(database, platformId, ids, by);
  }
  return { matching, redelivered, more: matching > redelivered };
}

/** The failed deliveries that can be sent again, of each visible endpoint that is enabled. */
function failedOf(filter: RedeliveryFilter, order: SQL): SQL {
  const { platformId, id, createdAt } = webhookDeliveries;
  const isUsable = and(
    isNull(webhookEndpoints.deletedAt),
    isNull(webhookEndpoints.disabledAt),
    filter.endpointId === undefined ? undefined : eq(webhookEndpoints.id, filter.endpointId),
  );
  const condition = and(
    ofScan({ ...filter, status: "failed" }),
    isCreatedWithin(filter),
    sql`not ${isLimited}`,
    isOfType(filter),
  );
  return sql`
    from (
      select ${webhookEndpoints.platformId} as platform_id, ${webhookEndpoints.id} as endpoint_id
      from ${webhookEndpoints} where ${isUsable}
    ) as scan
    cross join lateral (
      select ${platformId} as platform_id, ${id} as id, ${createdAt} as created_at
      from ${webhookDeliveries} where ${condition} ${order}
    ) as failed`;
}

export function countFailed(filter: RedeliveryFilter): SQL {
  return sql`select count(*)::int as count from (select ${failedOf(filter, sql``)} limit ${maxCounted}) as counted`;
}

export function oldestFailed(filter: RedeliveryFilter, limit: number): SQL {
  const order = sql`order by ${webhookDeliveries.createdAt}, ${webhookDeliveries.id} limit ${limit}`;
  return sql`
    select failed.platform_id, failed.id ${failedOf(filter, order)}
    order by failed.created_at, failed.id limit ${limit}`;
}

/** Makes deliveries of a platform due that are still failed, and audits each of their endpoints. */
function redeliver(
  database: Database,
  platformId: string,
  ids: readonly string[],
  by: AuditOrigin,
): Promise<number> {
  return database.asPlatform(platformId, async (tx): Promise<PipelinedCommit<number>> => {
    const { rows } = await tx.execute<{ endpoint_id: string }>(sql`
      update webhook_deliveries as d set ${dueAgain}
      where d.platform_id = ${platformId} and d.id in (
        select f.id from webhook_deliveries as f
        where f.platform_id = ${platformId} and f.id = any(${sql.param([...ids])}::text[]) and f.status = 'failed'
          and not ${isLimited}
          and exists (
            select from webhook_endpoints as e
            where e.id = f.endpoint_id and e.disabled_at is null and e.deleted_at is null
          )
        order by f.created_at, f.id
        for update skip locked
      )
      returning d.endpoint_id`);
    const endpointIds = [...new Set(rows.map((row) => row.endpoint_id))];
    const audited = endpointIds.map((subject) =>
      appendEntry(tx, platformId, { ...by, subject, outcome: "done" }),
    );
    return pipelineCommit(audited, () => rows.length);
  });
}
