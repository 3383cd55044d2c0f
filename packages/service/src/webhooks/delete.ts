import { deletedWebhookEndpoint, webhookEndpointReference } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleEndpoint } from "./example.ts";
import { found } from "./found.ts";

/** Deletes an endpoint with its deliveries. */
export const deleteWebhookEndpoint = defineOperation({
  ...forWebhooks,
  id: "webhooks.delete",
  kind: "write",
  rest: { method: "delete", path: "/webhooks/{endpointId}", tag: "Webhooks" },
  summary: "Delete a webhook endpoint",
  description:
    "Deletes an endpoint, its secrets and its deliveries. Attempts in progress end within about a second.",
  scopes: ["webhooks:write", "ops.webhooks"],
  input: webhookEndpointReference,
  rules: [],
  output: deletedWebhookEndpoint,
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpointId: exampleEndpoint.endpointId },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

  async run({ webhookEndpoints }, { platformId }, { endpointId }) {
    const isDeleted = await webhookEndpoints.delete(platformId, endpointId);
    return { data: found(isDeleted ? { endpointId } : null), subject: endpointId };
  },
});
