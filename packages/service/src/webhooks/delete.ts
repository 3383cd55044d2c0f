import { deletedWebhookEndpoint, webhookEndpointReference } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleEndpoint, forWebhooks, found, isEndpoint } from "./endpoint.ts";

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

  async run({ database }, { platformId }, { endpointId }) {
    // A worker deletes the deliveries later: there may be too many for one transaction.
    const deleted = await database.asPlatform<{ endpointId: string } | undefined>(platformId, async (tx) => {
      const updated = tx
        .update(webhookEndpoints)
        .set({ deletedAt: sql`clock_timestamp()`, encrypted: null, dataKey: null, keyVersion: null })
        .where(isEndpoint(platformId, endpointId))
        .returning({ endpointId: webhookEndpoints.id });
      return pipelineCommit([updated], ([rows]) => rows[0]);
    });
    return { data: found(deleted), subject: endpointId };
  },
});
