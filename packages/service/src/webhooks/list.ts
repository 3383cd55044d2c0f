import { webhookEndpointList, webhookEndpointListQuery } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { exampleEndpoint, forWebhooks, readEndpoints } from "./endpoint.ts";

/** Lists all endpoints of the platform. */
export const listWebhookEndpoints = defineOperation({
  ...forWebhooks,
  id: "webhooks.list",
  kind: "read",
  rest: { method: "get", path: "/webhooks", tag: "Webhooks" },
  summary: "List the webhook endpoints",
  description: "Lists all endpoints, oldest first, without their secrets.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookEndpointListQuery,
  rules: [],
  output: webhookEndpointList,
  example: { input: {}, output: { endpoints: [exampleEndpoint] } },
  errors: [],
  audit: [],

  async run(ports, { platformId }) {
    return { data: { endpoints: await readEndpoints(ports, platformId) } };
  },
});
