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
  prompt: boolean;
}

/**
 * Leases due deliveries and releases leases.
 *
 * @param lease how long a lease owns its delivery, as an interval
 */
export function leases(database: Database, lease: string): Pick<WebhookDeliveries, "leaseDue" | "release"> {
  return {
    leaseDue: ({ prompt, slow }) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<LeasedRow>(
          sql`select * from lease_webhook_deliveries(${prompt}, ${slow}, ${lease}::interval)`,
        );
        return rows.map(toDue);
      }),

    async release(due) {
      for (const [platformId, leased] of Map.groupBy(due, ({ platformId }) => platformId)) {
        const owned = JSON.stringify(leased.map(({ deliveryId, lease }) => ({ id: deliveryId, lease })));
        await database.asPlatform<void>(platformId, async (tx) => {
          const released = tx.execute(sql`
            update webhook_deliveries as d
            set attempt = d.attempt - 1, lease_until = null, due_at = clock_timestamp()
            from jsonb_to_recordset(${owned}::jsonb) as owned (id text, lease integer)
            where d.platform_id = ${platformId} and d.id = owned.id and d.lease = owned.lease
              and d.lease_until is not null`);
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
    lane: row.prompt ? "prompt" : "slow",
  };
}
