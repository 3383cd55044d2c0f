import {
  createWebhookEndpointInput,
  Failure,
  maxWebhookEndpoints,
  type Policies,
  type WebhookEndpoint,
  webhookEndpointWithSecret,
  webhookUrlRule,
} from "@cardbridge/domain";
import { and, eq, isNull } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { platforms, webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { createDataKey } from "../encryption/data-key.ts";
import { defineOperation } from "../operation/define.ts";
import { endpointColumns, exampleEndpoint, exampleSecret, forWebhooks, toEndpoint } from "./endpoint.ts";
import { encryptTarget, wrapEndpointKey } from "./endpoint-key.ts";

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

    async run(ports, { platformId }, { url, eventTypes, description = null }) {
      const { ring } = await ports.personalDataKeys();
      const endpointId = ports.ids.webhookEndpointId();
      const secret = ports.generateWebhookSecret();
      const endpoint = { platformId, endpointId };
      const dataKey = createDataKey();
      const values = {
        id: endpointId,
        platformId,
        description,
        eventTypes,
        encrypted: encryptTarget({ url, secret, previousSecret: null }, dataKey, endpoint),
        ...wrapEndpointKey(dataKey, endpoint, ring),
      };
      const created = await ports.database.asPlatform<WebhookEndpoint>(platformId, async (tx) => {
        // Creations on one platform wait for each other, so that each counts the endpoints created before it.
        const isPlatform = eq(platforms.id, platformId);
        const [, existing] = await Promise.all([
          tx.select({ id: platforms.id }).from(platforms).where(isPlatform).for("no key update"),
          tx
            .select({ id: webhookEndpoints.id })
            .from(webhookEndpoints)
            .where(and(eq(webhookEndpoints.platformId, platformId), isNull(webhookEndpoints.deletedAt))),
        ]);
        if (existing.length >= maxWebhookEndpoints) throw new Failure("WEBHOOK_ENDPOINT_LIMIT");
        const inserted = tx.insert(webhookEndpoints).values(values).returning(endpointColumns);
        return pipelineCommit([inserted], ([rows]) =>
          toEndpoint(platformId, requireRow(rows, "webhook endpoint"), ring),
        );
      });
      return { data: { ...created, secret }, subject: endpointId };
    },
  });
