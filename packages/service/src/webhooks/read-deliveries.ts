import {
  maxShownAttempts,
  unknownCursor,
  type WebhookDelivery,
  type WebhookEndpoints,
} from "@cardbridge/domain";
import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { deliveryColumns } from "./delivery-columns.ts";
import { decryptExcerpt } from "./encrypted-excerpt.ts";
import { encryptedTarget, isEndpoint } from "./endpoint-columns.ts";
import { unwrapEndpointKey } from "./endpoint-key.ts";

/** Selects deliveries with their events, of endpoints that are not deleted. */
export function selectDeliveries(tx: Tx, platformId: string, condition: SQL | undefined) {
  return tx
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eventOfDelivery)
    .innerJoin(webhookEndpoints, endpointOfDelivery)
    .where(and(eq(webhookDeliveries.platformId, platformId), condition));
}

export const eventOfDelivery = and(
  eq(webhookEvents.platformId, webhookDeliveries.platformId),
  eq(webhookEvents.id, webhookDeliveries.eventId),
);

const endpointOfDelivery = and(
  eq(webhookEndpoints.platformId, webhookDeliveries.platformId),
  eq(webhookEndpoints.id, webhookDeliveries.endpointId),
  isNull(webhookEndpoints.deletedAt),
);

/** Matches a delivery of this endpoint. */
export function isDelivery(endpointId: string, deliveryId: string): SQL | undefined {
  return and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, deliveryId));
}

/** Matches the deliveries after this one in the list. */
function isOlderThan(platformId: string, endpointId: string, deliveryId: string): SQL {
  return sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < ((
    select c.created_at from webhook_deliveries as c
    where c.platform_id = ${platformId} and c.id = ${deliveryId} and c.endpoint_id = ${endpointId}
  ), ${deliveryId})`;
}

const attemptColumns = {
  lease: webhookAttempts.lease,
  attempt: webhookAttempts.number,
  startedAt: shownMoment(sql`${webhookAttempts.startedAt}`),
  milliseconds: webhookAttempts.milliseconds,
  status: webhookAttempts.status,
  reason: webhookAttempts.reason,
  excerpt: webhookAttempts.excerpt,
};

/** Reads deliveries and their attempts. */
export function deliveryReads(
  database: Database,
  verifiedKeys: VerifiedKeys,
): Pick<WebhookEndpoints, "deliveries" | "delivery" | "ofRecord"> {
  return {
    deliveries: (platformId, { endpointId, status, before, limit }) =>
      database.asPlatform<WebhookDelivery[] | null>(platformId, async (tx) => {
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
        return pipelineCommit([endpoint, items, last], ([[found], rows, [known]]) => {
          if (found && before !== undefined && !known) throw unknownCursor();
          return found ? rows : null;
        });
      }),

    async delivery(platformId, endpointId, deliveryId) {
      const { ring } = await verifiedKeys();
      return database.asPlatform(platformId, async (tx) => {
        const found = selectDeliveries(tx, platformId, isDelivery(endpointId, deliveryId));
        const attempts = tx
          .select(attemptColumns)
          .from(webhookAttempts)
          .where(and(eq(webhookAttempts.platformId, platformId), eq(webhookAttempts.deliveryId, deliveryId)))
          .orderBy(desc(webhookAttempts.lease))
          .limit(maxShownAttempts);
        const keys = tx
          .select(encryptedTarget)
          .from(webhookEndpoints)
          .where(isEndpoint(platformId, endpointId));
        return pipelineCommit([found, attempts, keys], ([[delivery], rows, [target]]) => {
          if (!delivery || !target) return null;
          const dataKey = unwrapEndpointKey(target, { platformId, endpointId }, ring);
          const history = rows.toReversed().map(({ lease, excerpt, ...row }) => ({
            ...row,
            excerpt: excerpt && decryptExcerpt(excerpt, dataKey, { platformId, deliveryId, lease }),
          }));
          return { ...delivery, history };
        });
      });
    },

    ofRecord: (platformId, kycRecordId) =>
      database.asPlatform<WebhookDelivery[]>(platformId, async (tx) => {
        const found = selectDeliveries(tx, platformId, eq(webhookDeliveries.recordId, kycRecordId)).orderBy(
          asc(webhookDeliveries.sequence),
          asc(webhookDeliveries.endpointId),
        );
        return pipelineCommit([found], ([rows]) => rows);
      }),
  };
}
