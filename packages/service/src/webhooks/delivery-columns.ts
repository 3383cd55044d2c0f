import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { webhookDeliveries, webhookEvents } from "../database/schema.ts";

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
  attempts: webhookDeliveries.attempts,
  createdAt: shownMoment(sql`${webhookDeliveries.createdAt}`),
  dueAt: shownOrNull(sql`${webhookDeliveries.dueAt}`),
  deliveredAt: shownOrNull(sql`${webhookDeliveries.deliveredAt}`),
};
