import {
  type Policies,
  someWebhookChange,
  updateWebhookEndpointInput,
  webhookEndpoint,
  webhookUrlRule,
} from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleEndpoint } from "./example.ts";
import { found } from "./found.ts";

/** Changes, disables or enables an endpoint. */
export const updateWebhookEndpoint = (policies: Policies) =>
  defineOperation({
    ...forWebhooks,
    id: "webhooks.update",
    kind: "write",
    rest: { method: "patch", path: "/webhooks/{endpointId}", tag: "Webhooks" },
    summary: "Change a webhook endpoint",
    description:
      "Changes the given fields of an endpoint. A disabled endpoint receives nothing, its attempts in progress end within about a " +
      "second, and its pending deliveries fail. To deliver them, enable the endpoint and redeliver.",
    scopes: ["webhooks:write", "ops.webhooks"],
    input: updateWebhookEndpointInput,
    rules: [someWebhookChange, webhookUrlRule(policies)],
    output: webhookEndpoint,
    example: {
      input: { endpointId: exampleEndpoint.endpointId, enabled: false },
      output: {
        ...exampleEndpoint,
        enabled: false,
        disabledReason: "requested",
        disabledAt: "2026-02-01T12:00:00.000Z",
      },
    },
    errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
    audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

    async run({ webhookEndpoints }, { platformId }, { endpointId, ...change }) {
      const updated = found(await webhookEndpoints.update(platformId, endpointId, change));
      return { data: updated, subject: endpointId };
    },
  });
