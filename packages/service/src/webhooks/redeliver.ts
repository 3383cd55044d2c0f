import { maxRedeliveriesPerHour, webhookDelivery, webhookDeliveryReference } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleDelivery, exampleDue } from "./example.ts";
import { found } from "./found.ts";

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
    "Sends one delivery again, with the same webhook-id and a new series of attempts. The delivery stays unchanged " +
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

  async run({ webhookEndpoints }, { platformId }, { endpointId, deliveryId }) {
    const delivery = await webhookEndpoints.redeliver(platformId, endpointId, deliveryId);
    return { data: found(delivery, "WEBHOOK_DELIVERY_NOT_FOUND"), subject: deliveryId };
  },
});
