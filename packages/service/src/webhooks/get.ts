import { webhookEndpoint, webhookEndpointReference } from "@cardbridge/domain";
import { eq } from "drizzle-orm";
import { webhookEndpoints } from "../database/schema.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleEndpoint, forWebhooks, found, readEndpoints } from "./endpoint.ts";

/** Reads one endpoint. */
export const getWebhookEndpoint = defineOperation({
  ...forWebhooks,
  id: "webhooks.get",
  kind: "read",
  rest: { method: "get", path: "/webhooks/{endpointId}", tag: "Webhooks" },
  summary: "Read a webhook endpoint",
  description: "Reads an endpoint without its secret, with its state and the time of its first failure.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookEndpointReference,
  rules: [],
  output: webhookEndpoint,
  example: { input: { endpointId: exampleEndpoint.endpointId }, output: exampleEndpoint },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: [],

  async run(ports, { platformId }, { endpointId }) {
    const [endpoint] = await readEndpoints(ports, platformId, eq(webhookEndpoints.id, endpointId));
    return { data: found(endpoint) };
  },
});
