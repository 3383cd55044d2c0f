import { and, eq, isNotNull, sql } from "drizzle-orm";
import { webhookDeliveries } from "../database/schema.ts";

const { placeholder } = sql;

/** The lease still owns the delivery. */
export const ownsDelivery = and(
  eq(webhookDeliveries.platformId, placeholder("platformId")),
  eq(webhookDeliveries.id, placeholder("deliveryId")),
  eq(webhookDeliveries.lease, placeholder("lease")),
  isNotNull(webhookDeliveries.leaseUntil),
);
