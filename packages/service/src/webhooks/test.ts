import { webhookDelivery, webhookEndpointReference } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleDue, exampleEndpoint } from "./example.ts";
import { found } from "./found.ts";

/** Sends a test event to one endpoint. */
export const testWebhookEndpoint = defineOperation({
  ...forWebhooks,
  id: "webhooks.test",
  kind: "write",
  rest: { method: "post", path: "/webhooks/{endpointId}/test", tag: "Webhooks" },
  summary: "Test a webhook endpoint",
  description:
    "Sends a webhook.test event to this endpoint and returns the delivery before its first attempt. Read the " +
    "delivery to see the endpoint's response. The delivery to a disabled endpoint fails.",
  scopes: ["webhooks:write", "ops.webhooks"],
  input: webhookEndpointReference,
  rules: [],
  output: webhookDelivery,
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { ...exampleDue, type: "webhook.test", kycRecordId: null, sequence: null },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

  async run({ webhookEndpoints }, { platformId }, { endpointId }) {
    return { data: found(await webhookEndpoints.test(platformId, endpointId)), subject: endpointId };
  },
});
