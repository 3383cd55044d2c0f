import {
  createWebhookEndpointInput,
  maxWebhookEndpoints,
  type Policies,
  webhookEndpointWithSecret,
  webhookUrlRule,
} from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleEndpoint, exampleSecret } from "./example.ts";

/** Creates an endpoint, which receives all later events (gap G32). */
export const createWebhookEndpoint = (policies: Policies) =>
  defineOperation({
    ...forWebhooks,
    id: "webhooks.create",
    kind: "write",
    rest: { method: "post", path: "/webhooks", tag: "Webhooks", created: true },
    summary: "Create a webhook endpoint",
    description:
      "Creates an endpoint and returns its secret only once. The endpoint receives all later events. A platform " +
      `can have up to ${maxWebhookEndpoints} endpoints.`,
    scopes: ["webhooks:write", "ops.webhooks"],
    input: createWebhookEndpointInput,
    rules: [webhookUrlRule(policies)],
    output: webhookEndpointWithSecret,
    example: {
      input: {
        url: exampleEndpoint.url,
        eventTypes: ["kyc.updated", "card.updated"],
        description: exampleEndpoint.description,
      },
      output: { ...exampleEndpoint, secret: exampleSecret },
    },
    errors: ["WEBHOOK_ENDPOINT_LIMIT"],
    audit: ["done", "WEBHOOK_ENDPOINT_LIMIT"],

    async run(
      { webhookEndpoints, generateWebhookSecret, ids },
      { platformId },
      { description = null, ...rest },
    ) {
      const secret = generateWebhookSecret();
      const endpoint = { ...rest, description, endpointId: ids.webhookEndpointId(), secret };
      const created = await webhookEndpoints.create(platformId, endpoint);
      return { data: { ...created, secret }, subject: created.endpointId };
    },
  });
