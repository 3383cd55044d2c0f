import { type WebhookDelivery, webhookDelivery, webhookEndpointReference } from "@cardbridge/domain";
import { eq } from "drizzle-orm";
import { webhookDeliveries } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleEndpoint, forWebhooks, found } from "./endpoint.ts";
import { newEventId, writeEvent } from "./events.ts";
import { exampleDue, selectDeliveries } from "./select-deliveries.ts";

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

  async run({ database }, { platformId }, { endpointId }) {
    const delivery = await database.asPlatform<WebhookDelivery | undefined>(platformId, async (tx) => {
      const id = newEventId();
      const written = writeEvent(tx, { id, type: "webhook.test", data: { endpointId }, only: endpointId });
      const selected = selectDeliveries(tx, platformId, eq(webhookDeliveries.eventId, id));
      return pipelineCommit([written, selected], ([, rows]) => rows[0]);
    });
    return { data: found(delivery), subject: endpointId };
  },
});
