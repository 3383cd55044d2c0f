import { rotateWebhookSecretInput, webhookEndpointWithSecret } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { defineOperation } from "../operation/define.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { exampleEndpoint, exampleSecret, forWebhooks } from "./endpoint.ts";

/** Replaces an endpoint's secret. Both secrets sign during the overlap (gap G32). */
export const rotateWebhookSecret = defineOperation({
  ...forWebhooks,
  id: "webhooks.rotateSecret",
  kind: "write",
  rest: { method: "post", path: "/webhooks/{endpointId}/rotate-secret", tag: "Webhooks" },
  summary: "Rotate a webhook endpoint's secret",
  description:
    "Creates a new secret and returns it only once. The previous secret also signs during the overlap, 24 hours by " +
    "default; 0 ends it at once. Each rotation ends any older secret at once. If the response of a call is lost, do " +
    "not repeat the call before the receiver has the new secret.",
  scopes: ["webhooks:write", "ops.webhooks"],
  input: rotateWebhookSecretInput,
  rules: [],
  output: webhookEndpointWithSecret,
  example: {
    input: { endpointId: exampleEndpoint.endpointId, overlapHours: 24 },
    output: {
      ...exampleEndpoint,
      previousSecretUntil: "2026-02-01T12:00:00.000Z",
      secret: exampleSecret,
    },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

  async run(ports, { platformId }, { endpointId, overlapHours }) {
    const secret = ports.generateWebhookSecret();
    const overlap = sql`${`${overlapHours} hours`}::interval`;
    const rotated = await changeEndpoint(
      ports,
      { platformId, endpointId },
      {
        columns: { previousSecretUntil: sql`clock_timestamp() + ${overlap}` },
        target: ({ url, secret: previous }) => ({
          url,
          secret,
          previousSecret: overlapHours > 0 ? previous : null,
        }),
      },
    );
    return { data: { ...rotated, secret }, subject: endpointId };
  },
});
