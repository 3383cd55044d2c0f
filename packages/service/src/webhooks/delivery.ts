import { maxShownAttempts, webhookDeliveryDetails, webhookDeliveryReference } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleDelivery, exampleDeliveryDetails } from "./example.ts";
import { found } from "./found.ts";

/** Reads one delivery with its last attempts. */
export const getWebhookDelivery = defineOperation({
  ...forWebhooks,
  id: "webhooks.delivery",
  kind: "read",
  rest: { method: "get", path: "/webhooks/{endpointId}/deliveries/{deliveryId}", tag: "Webhooks" },
  summary: "Read a delivery with its last attempts",
  description:
    `Reads a delivery with its last ${maxShownAttempts} attempts, oldest first: the time, the status and the start of ` +
    "each response. attempts counts all attempts.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookDeliveryReference,
  rules: [],
  output: webhookDeliveryDetails,
  example: {
    input: { endpointId: exampleDelivery.endpointId, deliveryId: exampleDelivery.deliveryId },
    output: exampleDeliveryDetails,
  },
  errors: ["WEBHOOK_DELIVERY_NOT_FOUND"],
  audit: [],

  async run({ webhookEndpoints }, { platformId }, { endpointId, deliveryId }) {
    const delivery = await webhookEndpoints.delivery(platformId, endpointId, deliveryId);
    return { data: found(delivery, "WEBHOOK_DELIVERY_NOT_FOUND") };
  },
});
