import { webhookDeliveryListQuery, webhookDeliveryPage } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
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
  description:
    "Lists the deliveries of the last 30 days, newest first. For the next page, send nextCursor as cursor.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookDeliveryListQuery,
  rules: [],
  output: webhookDeliveryPage,
  example: {
    input: { endpointId: exampleDelivery.endpointId, status: "delivered" },
    output: { items: [exampleDelivery], nextCursor: null },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: [],

  async run({ webhookEndpoints }, { platformId }, { cursor: before, pageSize, ...filter }) {
    const { items, more } = await listUpTo(pageSize, async (limit) =>
      found(await webhookEndpoints.deliveries(platformId, { ...filter, before, limit })),
    );
    return { data: { items, nextCursor: (more && items.at(-1)?.deliveryId) || null } };
  },
});
