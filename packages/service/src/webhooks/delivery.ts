import {
  maxShownAttempts,
  type WebhookDeliveryDetails,
  webhookDeliveryDetails,
  webhookDeliveryReference,
  webhookPayloads,
} from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import {
  kycHistory,
  kycRecords,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "../database/schema.ts";
import { type PipelinedCommit, pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { encryptedTarget, forWebhooks, found, isEndpoint } from "./endpoint.ts";
import { decryptExcerpt, unwrapEndpointKey } from "./endpoint-key.ts";
import { historyOfEvent, payloadColumns, recordOfHistory, toPayload } from "./payload.ts";
import { eventOfDelivery, exampleDelivery, isDelivery, selectDeliveries } from "./select-deliveries.ts";

const attemptColumns = {
  lease: webhookAttempts.lease,
  attempt: webhookAttempts.number,
  startedAt: shownMoment(sql`${webhookAttempts.startedAt}`),
  milliseconds: webhookAttempts.milliseconds,
  status: webhookAttempts.status,
  reason: webhookAttempts.reason,
  excerpt: webhookAttempts.excerpt,
};

/** Reads one delivery with its body and its last attempts. */
export const getWebhookDelivery = defineOperation({
  ...forWebhooks,
  id: "webhooks.delivery",
  kind: "read",
  rest: { method: "get", path: "/webhooks/{endpointId}/deliveries/{deliveryId}", tag: "Webhooks" },
  summary: "Read a delivery with its last attempts",
  description:
    `Reads a delivery with the body that is sent and its last ${maxShownAttempts} attempts, oldest first: the time, the ` +
    "status and the start of each response. attempts counts all attempts.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookDeliveryReference,
  rules: [],
  output: webhookDeliveryDetails,
  example: {
    input: { endpointId: exampleDelivery.endpointId, deliveryId: exampleDelivery.deliveryId },
    output: {
      ...exampleDelivery,
      payload: JSON.stringify(webhookPayloads[0]?.example),
      history: [
        {
          attempt: 1,
          startedAt: "2026-01-31T12:00:01.500Z",
          milliseconds: 120,
          status: 200,
          reason: null,
          excerpt: "ok",
        },
      ],
    },
  },
  errors: ["WEBHOOK_DELIVERY_NOT_FOUND"],
  audit: [],

  async run({ database, personalDataKeys, environment }, { platformId }, { endpointId, deliveryId }) {
    const { ring } = await personalDataKeys();
    type Details = PipelinedCommit<WebhookDeliveryDetails | null>;
    const read = await database.asPlatform(platformId, async (tx): Promise<Details> => {
      const selected = selectDeliveries(tx, platformId, isDelivery(endpointId, deliveryId));
      const attempts = tx
        .select(attemptColumns)
        .from(webhookAttempts)
        .where(and(eq(webhookAttempts.platformId, platformId), eq(webhookAttempts.deliveryId, deliveryId)))
        .orderBy(desc(webhookAttempts.lease))
        .limit(maxShownAttempts);
      const body = tx
        .select(payloadColumns)
        .from(webhookDeliveries)
        .innerJoin(webhookEvents, eventOfDelivery)
        .leftJoin(kycHistory, historyOfEvent)
        .leftJoin(kycRecords, recordOfHistory)
        .where(and(eq(webhookDeliveries.platformId, platformId), isDelivery(endpointId, deliveryId)));
      const keys = tx
        .select(encryptedTarget)
        .from(webhookEndpoints)
        .where(isEndpoint(platformId, endpointId));
      return pipelineCommit([selected, attempts, body, keys], ([[delivery], rows, [sent], [target]]) => {
        if (!delivery || !sent || !target) return null;
        const dataKey = unwrapEndpointKey(target, { platformId, endpointId }, ring);
        const history = rows.toReversed().map(({ lease, excerpt, ...row }) => ({
          ...row,
          excerpt: excerpt && decryptExcerpt(excerpt, dataKey, { platformId, deliveryId, lease }),
        }));
        return { ...delivery, payload: JSON.stringify(toPayload(sent, environment)), history };
      });
    });
    return { data: found(read, "WEBHOOK_DELIVERY_NOT_FOUND") };
  },
});
