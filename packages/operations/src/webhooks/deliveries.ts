import { toPage, webhookDeliveryListQuery, webhookDeliveryPage } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleDelivery } from "./example.ts";
import { found } from "./found.ts";

/** Lists an endpoint's deliveries. */
export const listWebhookDeliveries = defineOperation({
  ...forWebhooks,
  id: "webhooks.deliveries",
  kind: "read",
  rest: { method: "get", path: "/webhooks/{endpointId}/deliveries", tag: "Webhooks" },
  summary: "List the deliveries of a webhook endpoint",
  description: "Lists the deliveries of the last 30 days, newest first. A page past the end is empty.",
  scopes: ["webhooks:read"],
  input: webhookDeliveryListQuery,
  rules: [],
  output: webhookDeliveryPage,
  example: {
    input: { endpointId: exampleDelivery.endpointId, status: "delivered" },
    output: { items: [exampleDelivery], page: 1, pageSize: 20, total: 1, totalPages: 1 },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: [],

  async run({ webhookEndpoints }, { platformId }, filter) {
    return { data: toPage(found(await webhookEndpoints.deliveries(platformId, filter)), filter) };
  },
});
