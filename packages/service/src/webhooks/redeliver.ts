import {
  Failure,
  maxRedeliveriesPerHour,
  type WebhookDelivery,
  webhookDelivery,
  webhookDeliveryReference,
} from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { webhookDeliveries } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks, found } from "./endpoint.ts";
import { exampleDelivery, exampleDue, isDelivery, selectDeliveries } from "./select-deliveries.ts";

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

/** Sends one delivery again. */
export const redeliverWebhook = defineOperation({
  ...forWebhooks,
  id: "webhooks.redeliver",
  kind: "write",
  rest: {
    method: "post",
    path: "/webhooks/{endpointId}/deliveries/{deliveryId}/redeliver",
    tag: "Webhooks",
  },
  summary: "Redeliver one delivery",
  description:
    "Sends one delivery again, with the same webhook-id and a new series of attempts. One that waits for its next attempt is " +
    "sent at once. The delivery stays unchanged " +
    "while an attempt is in progress, or while the endpoint is disabled: enable it first. A delivery can be sent again " +
    `${maxRedeliveriesPerHour} times within an hour.`,
  scopes: ["webhooks:write", "ops.webhooks"],
  input: webhookDeliveryReference,
  rules: [],
  output: webhookDelivery,
  example: {
    input: { endpointId: exampleDelivery.endpointId, deliveryId: exampleDelivery.deliveryId },
    output: exampleDue,
  },
  errors: ["WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_REDELIVERY_LIMIT"],
  audit: ["done", "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_REDELIVERY_LIMIT"],

  // The previous leases can no longer record attempts.
  async run({ database }, { platformId }, { endpointId, deliveryId }) {
    const redelivered = await database.asPlatform<WebhookDelivery | undefined>(platformId, async (tx) => {
      const due = tx.execute(sql`
        update webhook_deliveries as d set ${dueAgain}
        from webhook_endpoints as e
        where d.platform_id = ${platformId} and d.id = ${deliveryId} and d.endpoint_id = ${endpointId}
          and coalesce(d.lease_until, '-infinity') <= clock_timestamp()
          and e.id = d.endpoint_id and e.disabled_at is null and not ${isLimited}`);
      const selected = selectDeliveries(tx, platformId, isDelivery(endpointId, deliveryId));
      const limit = tx
        .select({ seconds: limitedSeconds })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.platformId, platformId), isDelivery(endpointId, deliveryId)));
      return pipelineCommit([due, selected, limit], ([{ rowCount }, [delivery], [limited]]) => {
        if (delivery && rowCount === 0 && limited?.seconds) {
          throw new Failure("WEBHOOK_REDELIVERY_LIMIT", { retryAfterSeconds: limited.seconds });
        }
        return delivery;
      });
    });
    return { data: found(redelivered, "WEBHOOK_DELIVERY_NOT_FOUND"), subject: deliveryId };
  },
});
