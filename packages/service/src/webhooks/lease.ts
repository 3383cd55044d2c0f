import type { DueDelivery, WebhookDeliveries } from "@cardbridge/domain";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { webhookDeliveries } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";

const { placeholder } = sql;

/** The lease still owns the delivery. */
export const ownsDelivery = and(
  eq(webhookDeliveries.platformId, placeholder("platformId")),
  eq(webhookDeliveries.id, placeholder("deliveryId")),
  eq(webhookDeliveries.lease, placeholder("lease")),
  isNotNull(webhookDeliveries.leaseUntil),
);

interface LeasedRow extends Record<string, unknown> {
  platform_id: string;
  delivery_id: string;
  endpoint_id: string;
  lease: number;
  attempt: number;
}

/** The endpoint is read by a subquery: without statistics, a join of both tables can read all of their rows. */
const isEnabled = sql`(
  select e.disabled_at is null from webhook_endpoints as e where e.id = ${webhookDeliveries.endpointId}
)`;

const releaseStatement = perConnection((tx) =>
  tx
    .update(webhookDeliveries)
    .set({
      attempt: sql`${webhookDeliveries.attempt} - 1`,
      leaseUntil: null,
      status: sql`case when ${isEnabled} then 'pending' else 'failed' end`,
      dueAt: sql`case when ${isEnabled} then clock_timestamp() end`,
    })
    .where(ownsDelivery)
    .prepare("webhook_release"),
);

/**
 * Leases due deliveries, releases leases, and finds the endpoints whose attempts have to end.
 *
 * @param lease how long a lease owns its delivery, as an interval
 */
export function leases(
  database: Database,
  lease: string,
): Pick<WebhookDeliveries, "leaseDue" | "findInactive" | "release"> {
  return {
    leaseDue: ({ running, free, reserved, perEndpoint, perCall }) =>
      database.withoutPlatform(async (tx) => {
        const attempts = running.map(({ platformId, endpointId }) => ({
          platform_id: platformId,
          endpoint_id: endpointId,
        }));
        const { rows } = await tx.execute<LeasedRow>(
          sql`select * from lease_webhook_deliveries(
            ${JSON.stringify(attempts)}::jsonb, ${free}, ${reserved}, ${perEndpoint}, ${perCall}, ${lease}::interval)`,
        );
        return rows.map(toDue);
      }),

    findInactive: (endpointIds) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ id: string }>(
          sql`select inactive_webhook_endpoints(${sql.param([...endpointIds])}::text[]) as id`,
        );
        return rows.map(({ id }) => id);
      }),

    async release(due) {
      for (const [platformId, leased] of Map.groupBy(due, ({ platformId }) => platformId)) {
        await database.asPlatform<void>(platformId, async (tx) => {
          const released = leased.map((one) => releaseStatement(tx).execute({ ...one, platformId }));
          return pipelineCommit(released, () => undefined);
        });
      }
    },
  };
}

function toDue(row: LeasedRow): DueDelivery {
  return {
    platformId: row.platform_id,
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    lease: row.lease,
    attempt: row.attempt,
  };
}
