import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../schema/columns.ts";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "../schema.ts";

const shownOrNull = (expression: SQL) => shownMoment(expression) as SQL<string | null>;

/** The columns of the domain's WebhookDelivery, selected from deliveries joined with their events. */
export const deliveryColumns = {
  deliveryId: webhookDeliveries.id,
  endpointId: webhookDeliveries.endpointId,
  webhookId: webhookDeliveries.eventId,
  type: webhookEvents.type,
  kycRecordId: webhookDeliveries.recordId,
  sequence: webhookDeliveries.sequence,
  status: webhookDeliveries.status,
  attempts: sql<number>`(
    select count(*)::int from ${webhookAttempts}
    where ${webhookAttempts.platformId} = ${webhookDeliveries.platformId}
      and ${webhookAttempts.deliveryId} = ${webhookDeliveries.id})`,
  createdAt: shownMoment(sql`${webhookDeliveries.createdAt}`),
  dueAt: shownOrNull(sql`${webhookDeliveries.dueAt}`),
  deliveredAt: shownOrNull(sql`${webhookDeliveries.deliveredAt}`),
};
