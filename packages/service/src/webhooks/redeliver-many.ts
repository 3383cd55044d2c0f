import {
  maxRedeliveriesPerHour,
  type RedeliveryFilter,
  redeliveredMany,
  redeliverManyInput,
} from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { appendEntry } from "../operation/audit.ts";
import { type OperationCall, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { indexesOnly } from "../paging/order.ts";
import { isCreatedWithin, isOfType, ofScan } from "./delivery-scans.ts";
import { dueAgain, isLimited } from "./redeliver.ts";

/** The most deliveries that a call counts. */
const maxCounted = 10_000;

interface Row extends Record<string, unknown> {
  platform_id: string;
  id: string;
}

/** Sends again failed or waiting deliveries of several platforms. */
export const redeliverWebhooks = defineOperation({
  ...forOperators("ops.webhooks"),
  reach: "platforms",
  id: "webhooks.redeliverMany",
  kind: "write",
  summary: "Redeliver many deliveries",
  description:
    "Sends again the failed deliveries that match the filter, and at once those that wait, up to `limit`, oldest first. With " +
    "`preview`, it counts them only. `statuses` chooses the failed ones, those that wait, or both. It skips deliveries of disabled endpoints, and those that were sent again " +
    `${maxRedeliveriesPerHour} times within an hour. Repeat the call while more is true.`,
  input: redeliverManyInput,
  rules: [],
  output: redeliveredMany,
  example: { input: { preview: true }, output: { matching: 3, redelivered: 0, more: true } },
  errors: ["PLATFORM_NOT_FOUND"],
  // `redeliver` audits each platform in its transaction.
  audit: [],

  // A call that fails in between leaves the platforms before: the next one continues.
  async run(ports, call, { platformIds, preview, limit, ...filter }) {
    const platforms = namedPlatforms(call, platformIds);
    const { matching, oldest } = await ports.database.asOperators(platforms, async (tx) => {
      await tx.execute(indexesOnly);
      const [counted, found] = await Promise.all([
        tx.execute<{ count: number }>(countAgain(filter)),
        preview ? { rows: [] } : tx.execute<Row>(oldestAgain(filter, limit)),
      ]);
      return { matching: requireRow(counted.rows, "count").count, oldest: found.rows };
    });
    let redelivered = 0;
    for (const [platformId, rows] of Map.groupBy(oldest, (row) => row.platform_id)) {
      const ids = rows.map(({ id }) => id);
      redelivered += await redeliver(ports, call, platformId, ids, filter.statuses);
    }
    return { data: { matching, redelivered, more: matching > redelivered } };
  },
});

const { platformId, id, createdAt, status, dueAt, leaseUntil } = webhookDeliveries;

/** Waits for a later attempt, and is not being attempted. */
const isWaiting = sql`${status} = 'pending' and ${dueAt} > now() and coalesce(${leaseUntil}, '-infinity') <= now()`;

/** The deliveries in one state that can be sent again, of an endpoint, in the order of an index. */
function inState(
  state: RedeliveryFilter["statuses"][number],
  filter: RedeliveryFilter,
  limit: number | undefined,
): SQL {
  const condition = and(
    ofScan({ ...filter, status: state }),
    state === "pending" ? isWaiting : undefined,
    isCreatedWithin(filter),
    sql`not ${isLimited}`,
    isOfType(filter),
  );
  const first = state === "pending" ? dueAt : createdAt;
  return sql`(
    select ${platformId} as platform_id, ${id} as id, ${createdAt} as created_at
    from ${webhookDeliveries} where ${condition}
    ${limit === undefined ? sql`` : sql`order by ${first}, ${id} limit ${limit}`}
  )`;
}

/** The deliveries that can be sent again, of each visible endpoint that is enabled. */
function againOf(filter: RedeliveryFilter, limit?: number): SQL {
  const isUsable = and(
    isNull(webhookEndpoints.deletedAt),
    isNull(webhookEndpoints.disabledAt),
    filter.endpointId === undefined ? undefined : eq(webhookEndpoints.id, filter.endpointId),
  );
  const states = [...new Set(filter.statuses)].map((state) => inState(state, filter, limit));
  return sql`
    from (
      select ${webhookEndpoints.platformId} as platform_id, ${webhookEndpoints.id} as endpoint_id
      from ${webhookEndpoints} where ${isUsable}
    ) as scan
    cross join lateral (${sql.join(states, sql` union all `)}) as again`;
}

export function countAgain(filter: RedeliveryFilter): SQL {
  return sql`select count(*)::int as count from (select ${againOf(filter)} limit ${maxCounted}) as counted`;
}

export function oldestAgain(filter: RedeliveryFilter, limit: number): SQL {
  return sql`
    select again.platform_id, again.id ${againOf(filter, limit)}
    order by again.created_at, again.id limit ${limit}`;
}

/** Makes deliveries of a platform due that are still failed or waiting, and audits each of their endpoints. */
function redeliver(
  { database }: Pick<Ports, "database">,
  call: OperationCall,
  platformId: string,
  ids: readonly string[],
  statuses: RedeliveryFilter["statuses"],
): Promise<number> {
  return database.asPlatform(platformId, async (tx): Promise<PipelinedCommit<number>> => {
    const { rows } = await tx.execute<{ endpoint_id: string }>(sql`
      update webhook_deliveries as d set ${dueAgain}
      where d.platform_id = ${platformId} and d.id in (
        select f.id from webhook_deliveries as f
        where f.platform_id = ${platformId} and f.id = any(${sql.param([...ids])}::text[])
          and f.status = any(${sql.param([...statuses])}::text[])
          and (f.status = 'failed' or f.due_at > now() and coalesce(f.lease_until, '-infinity') <= now())
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
      appendEntry(tx, platformId, { ...originOf(call), subject, outcome: "done" }),
    );
    return pipelineCommit(audited, () => rows.length);
  });
}
