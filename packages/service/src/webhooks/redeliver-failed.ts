import { maxRedeliveriesPerHour, redeliveredWebhooks, redeliverFailedInput } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";
import { forWebhooks } from "./actors.ts";
import { exampleEndpoint } from "./example.ts";
import { found } from "./found.ts";

/** Sends again an endpoint's failed deliveries of the events since a time. */
export const redeliverFailedWebhooks = defineOperation({
  ...forWebhooks,
  id: "webhooks.redeliverFailed",
  kind: "write",
  rest: { method: "post", path: "/webhooks/{endpointId}/redeliver", tag: "Webhooks" },
  summary: "Redeliver the failed deliveries",
  description:
    "Sends again the failed deliveries of the events since a time, with the same webhook-ids. They include events from " +
    "the time when the endpoint was disabled; enable it first. Each call has a limit: repeat it while more is true. " +
    `A delivery that was sent again ${maxRedeliveriesPerHour} times within an hour is skipped.`,
  scopes: ["webhooks:write", "ops.webhooks"],
  input: redeliverFailedInput,
  rules: [],
  output: redeliveredWebhooks,
  example: {
    input: { endpointId: exampleEndpoint.endpointId, since: "2026-01-31T00:00:00.000Z" },
    output: { redelivered: 3, more: false },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

  async run({ webhookEndpoints }, { platformId }, { endpointId, since }) {
    const redelivered = await webhookEndpoints.redeliverFailed(platformId, endpointId, new Date(since));
    return { data: found(redelivered), subject: endpointId };
  },
});
