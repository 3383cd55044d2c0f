import type { DueDelivery, WebhookDeliveries } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { pipelineCommit } from "../transaction.ts";

interface LeasedRow extends Record<string, unknown> {
  platform_id: string;
  delivery_id: string;
  endpoint_id: string;
  lease: number;
  attempt: number;
}

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
        const owned = JSON.stringify(leased.map(({ deliveryId, lease }) => ({ id: deliveryId, lease })));
        await database.asPlatform<void>(platformId, async (tx) => {
          const released = tx.execute(sql`
            update webhook_deliveries as d
            set attempt = d.attempt - 1, lease_until = null,
              status = case when e.disabled_at is null then 'pending' else 'failed' end,
              due_at = case when e.disabled_at is null then clock_timestamp() end
            from jsonb_to_recordset(${owned}::jsonb) as owned (id text, lease integer), webhook_endpoints as e
            where d.platform_id = ${platformId} and d.id = owned.id and d.lease = owned.lease
              and d.lease_until is not null and e.id = d.endpoint_id`);
          return pipelineCommit([released], () => undefined);
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
