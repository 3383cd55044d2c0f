import {
  unknownCursor,
  type WebhookDelivery,
  webhookDeliveryListQuery,
  webhookDeliveryPage,
} from "@cardbridge/domain";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { forWebhooks, found, isEndpoint } from "./endpoint.ts";
import { exampleDelivery, isDelivery, selectDeliveries } from "./select-deliveries.ts";

/** Lists an endpoint's deliveries. */
export const listWebhookDeliveries = defineOperation({
  ...forWebhooks,
  id: "webhooks.deliveries",
  kind: "read",
  rest: { method: "get", path: "/webhooks/{endpointId}/deliveries", tag: "Webhooks" },
  summary: "List the deliveries of a webhook endpoint",
  description:
    "Lists the deliveries of the last 30 days, newest first. For the next page, send nextCursor as cursor.",
  scopes: ["webhooks:read", "ops.webhooks"],
  input: webhookDeliveryListQuery,
  rules: [],
  output: webhookDeliveryPage,
  example: {
    input: { endpointId: exampleDelivery.endpointId, status: "delivered" },
    output: { items: [exampleDelivery], nextCursor: null },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: [],

  async run({ database }, { platformId }, { cursor: before, pageSize, ...filter }) {
    const { items, more } = await listUpTo(pageSize, async (limit) =>
      found(await readDeliveries(database, platformId, { ...filter, before, limit })),
    );
    return { data: { items, nextCursor: (more && items.at(-1)?.deliveryId) || null } };
  },
});

interface DeliveryFilter {
  endpointId: string;
  status?: WebhookDelivery["status"] | undefined;
  /** Lists only deliveries that are older than this one. */
  before: string | undefined;
  limit: number;
}

/** Null if there is no such endpoint. @throws Failure INVALID_INPUT for an unknown cursor. */
function readDeliveries(
  database: Database,
  platformId: string,
  { endpointId, status, before, limit }: DeliveryFilter,
): Promise<WebhookDelivery[] | null> {
  return database.asPlatform<WebhookDelivery[] | null>(platformId, async (tx) => {
    const endpoint = tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(isEndpoint(platformId, endpointId));
    const items = selectDeliveries(
      tx,
      platformId,
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        status && eq(webhookDeliveries.status, status),
        before === undefined ? undefined : isOlderThan(platformId, endpointId, before),
      ),
    )
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(limit);
    const last = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.platformId, platformId), isDelivery(endpointId, before ?? "")));
    return pipelineCommit([endpoint, items, last], ([[isFound], rows, [known]]) => {
      if (isFound && before !== undefined && !known) throw unknownCursor();
      return isFound ? rows : null;
    });
  });
}

/** Matches the deliveries after this one in the list. */
function isOlderThan(platformId: string, endpointId: string, deliveryId: string): SQL {
  return sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < ((
    select c.created_at from webhook_deliveries as c
    where c.platform_id = ${platformId} and c.id = ${deliveryId} and c.endpoint_id = ${endpointId}
  ), ${deliveryId})`;
}
