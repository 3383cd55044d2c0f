import type { WebhookDelivery } from "@cardbridge/domain";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { exampleEndpoint, shownOrNull } from "./endpoint.ts";

/** The columns of the domain's WebhookDelivery, selected from deliveries joined with their events. */
export const deliveryColumns = {
  deliveryId: webhookDeliveries.id,
  endpointId: webhookDeliveries.endpointId,
  webhookId: webhookDeliveries.eventId,
  type: webhookEvents.type,
  kycRecordId: webhookDeliveries.recordId,
  sequence: webhookDeliveries.sequence,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  createdAt: shownMoment(sql`${webhookDeliveries.createdAt}`),
  dueAt: shownOrNull(sql`${webhookDeliveries.dueAt}`),
  deliveredAt: shownOrNull(sql`${webhookDeliveries.deliveredAt}`),
};

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

/** Reads the deliveries about one KYC record to all endpoints, oldest first. Throws as `Database.asPlatform`. */
export function deliveriesOfRecord(
  { database }: Pick<Ports, "database">,
  platformId: string,
  kycRecordId: string,
): Promise<WebhookDelivery[]> {
  return database.asPlatform<WebhookDelivery[]>(platformId, async (tx) => {
    const found = selectDeliveries(tx, platformId, eq(webhookDeliveries.recordId, kycRecordId)).orderBy(
      asc(webhookDeliveries.sequence),
      asc(webhookDeliveries.endpointId),
    );
    return pipelineCommit([found], ([rows]) => rows);
  });
}

export const exampleDelivery: WebhookDelivery = {
  deliveryId: "whd_01jexample0000000000000000",
  endpointId: exampleEndpoint.endpointId,
  webhookId: "msg_01jexample0000000000000000",
  type: "kyc.updated",
  kycRecordId: "kyc_01jexample0000000000000000",
  sequence: 2,
  status: "delivered",
  attempts: 1,
  createdAt: "2026-01-31T12:00:01.000Z",
  dueAt: null,
  deliveredAt: "2026-01-31T12:00:02.000Z",
};

/** The same delivery before its first attempt. */
export const exampleDue: WebhookDelivery = {
  ...exampleDelivery,
  status: "pending",
  attempts: 0,
  dueAt: exampleDelivery.createdAt,
  deliveredAt: null,
};
