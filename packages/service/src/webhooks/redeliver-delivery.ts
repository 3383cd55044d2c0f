import {
  Failure,
  maxRedeliveriesPerHour,
  type WebhookDelivery,
  type WebhookEndpoints,
} from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { isEndpoint } from "./endpoint-columns.ts";
import { isDelivery, selectDeliveries } from "./read-deliveries.ts";

/** The maximum number of deliveries that one call makes due. */
const maxRedelivered = 1_000;

const isSameHour = sql`coalesce(redeliveries_since > now() - interval '1 hour', false)`;
export const isLimited = sql`(${isSameHour} and redeliveries >= ${maxRedeliveriesPerHour})`;

/** All have the same due time, so that their ids determine their order. */
export const dueAgain = sql`
  status = 'pending', due_at = now(), attempt = 0, lease_until = null, delivered_at = null,
  redeliveries = case when ${isSameHour} then redeliveries + 1 else 1 end,
  redeliveries_since = case when ${isSameHour} then redeliveries_since else now() end`;

/** The seconds until a limited delivery can be redelivered; null without a limit. */
const limitedSeconds = sql<number | null>`
  case when ${isLimited} then ceil(extract(epoch from redeliveries_since + interval '1 hour' - now()))::integer end`;

/** Makes deliveries due again. Their previous leases can no longer record attempts. */
export function redeliveries(database: Database): Pick<WebhookEndpoints, "redeliver" | "redeliverFailed"> {
  return {
    redeliver: (platformId, endpointId, deliveryId) =>
      database.asPlatform<WebhookDelivery | null>(platformId, async (tx) => {
        const due = tx.execute(sql`
          update webhook_deliveries as d set ${dueAgain}
          from webhook_endpoints as e
          where d.platform_id = ${platformId} and d.id = ${deliveryId} and d.endpoint_id = ${endpointId}
            and coalesce(d.lease_until, '-infinity') <= clock_timestamp()
            and e.id = d.endpoint_id and e.disabled_at is null and not ${isLimited}`);
        const found = selectDeliveries(tx, platformId, isDelivery(endpointId, deliveryId));
        const limit = tx
          .select({ seconds: limitedSeconds })
          .from(webhookDeliveries)
          .where(and(eq(webhookDeliveries.platformId, platformId), isDelivery(endpointId, deliveryId)));
        return pipelineCommit([due, found, limit], ([{ rowCount }, [delivery], [limited]]) => {
          if (delivery && rowCount === 0 && limited?.seconds) {
            throw new Failure("WEBHOOK_REDELIVERY_LIMIT", { retryAfterSeconds: limited.seconds });
          }
          return delivery ?? null;
        });
      }),

    redeliverFailed: (platformId, endpointId, since) =>
      database.asPlatform<{ redelivered: number; more: boolean } | null>(platformId, async (tx) => {
        const endpoint = tx
          .select({ id: webhookEndpoints.id })
          .from(webhookEndpoints)
          .where(isEndpoint(platformId, endpointId));
        const due = tx.execute(sql`
          update webhook_deliveries as d
          set ${dueAgain}
          where d.platform_id = ${platformId} and d.id in (
            select f.id from webhook_deliveries as f
            where f.endpoint_id = ${endpointId} and f.status = 'failed' and f.created_at >= ${since.toISOString()}
              and not ${isLimited}
              and exists (select from webhook_endpoints as e where e.id = f.endpoint_id and e.disabled_at is null)
            order by f.created_at, f.id
            limit ${maxRedelivered}
            for update skip locked
          )`);
        return pipelineCommit([endpoint, due], ([[found], { rowCount }]) => {
          const redelivered = rowCount ?? 0;
          return found ? { redelivered, more: redelivered === maxRedelivered } : null;
        });
      }),
  };
}
