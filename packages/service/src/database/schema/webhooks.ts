import {
  deliveryStatuses,
  disabledReasons,
  subscribedEventTypes,
  undeliveredReasons,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEventType,
  type WebhookPayload,
  webhookEventTypes,
} from "@cardbridge/domain";
import { desc, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { bytea, moment, nullableJson, traceparent } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { oneOf, operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

const types = sql.raw(subscribedEventTypes.map((type) => `'${type}'`).join(", "));

/** The URLs at which platforms receive events. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    eventTypes: text("event_types").array().$type<WebhookEventType[]>().notNull(),
    description: text("description"),
    /** The URL and the secrets, encrypted under the endpoint's data key; null after the endpoint is deleted. */
    encrypted: bytea("encrypted"),
    /** The endpoint's data key, wrapped under this version of the key ring. */
    dataKey: bytea("data_key"),
    keyVersion: integer("key_version"),
    /** Until this time, the previous secret signs too. */
    previousSecretUntil: moment("previous_secret_until"),
    disabledReason: text("disabled_reason").$type<WebhookEndpoint["disabledReason"]>(),
    disabledAt: moment("disabled_at"),
    /** The time of the first failed attempt since the last successful attempt. */
    failingSince: moment("failing_since"),
    /** Whether the last attempt succeeded; false before the first. */
    succeeded: boolean("succeeded").notNull().default(false),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    /** A worker deletes the deliveries of a deleted endpoint, then its row. */
    deletedAt: moment("deleted_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    index("webhook_endpoints_of_platform").on(table.platformId),
    index("webhook_endpoints_key_version").on(table.keyVersion).where(sql`${table.keyVersion} is not null`),
    oneOf("webhook_endpoints_disabled_reason", table.disabledReason, disabledReasons),
    check("webhook_endpoints_disabled", sql`num_nonnulls(disabled_reason, disabled_at) in (0, 2)`),
    check(
      "webhook_endpoints_event_types",
      sql`event_types <@ array[${types}] and cardinality(event_types) > 0`,
    ),
    check(
      "webhook_endpoints_whole_until_deleted",
      sql`num_nonnulls(encrypted, data_key, key_version) = case when deleted_at is null then 3 else 0 end`,
    ),
    ownerTask("lease_webhooks"),
    ownerTask("sweep_webhooks"),
    ownerTask("read_webhooks", "select"),
    ownerTask("check_encryption_keys", "select"),
    ownerTask("rewrap"),
  ],
);

/** The events for endpoints. The content of a KYC event is in its row of kyc_history. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text("id").notNull(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    type: text("type").$type<WebhookEventType>().notNull(),
    // No foreign key: each deletion of a history row would look for its events. sweep_users deletes them first.
    kycHistoryId: bigint("kyc_history_id", { mode: "bigint" }),
    /** The number of the change within its record, starting at 1. */
    sequence: integer("sequence"),
    /** The content of events that are not in kyc_history alone, without personal data. */
    data: nullableJson("data").$type<WebhookPayload["data"]>(),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.id] }),
    index("webhook_events_age").on(table.createdAt),
    oneOf("webhook_events_type", table.type, webhookEventTypes),
    check(
      "webhook_events_content",
      sql`case when type = 'kyc.updated' then num_nonnulls(kyc_history_id, sequence) = 2 and data is null when type like 'kyc.%' then num_nonnulls(kyc_history_id, sequence, data) = 3 else num_nonnulls(kyc_history_id, sequence) = 0 and data is not null end`,
    ),
    ownerTask("sweep_webhooks"),
    ownerTask("sweep_users"),
  ],
);

/** The delivery of an event to an endpoint. No foreign key to endpoints: deleting an endpoint must not fail changes. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").notNull(),
    platformId: text("platform_id").notNull(),
    endpointId: text("endpoint_id").notNull(),
    eventId: text("event_id").notNull(),
    /** The record and the number of its change, which keep deliveries in order; null for other events. */
    recordId: text("record_id"),
    sequence: integer("sequence"),
    status: text("status").$type<WebhookDelivery["status"]>().notNull(),
    /** The number of the lease that may record an attempt; it only increases. */
    lease: integer("lease").notNull().default(0),
    /** The number of attempts since the delivery was written or redelivered. */
    attempt: integer("attempt").notNull().default(0),
    /** The number of its rows in webhook_attempts. */
    attempts: integer("attempts").notNull().default(0),
    /** The number of redeliveries in the hour that began at this time. */
    redeliveries: integer("redeliveries").notNull().default(0),
    redeliveriesSince: moment("redeliveries_since"),
    /** When the current lease ends; null without a lease. */
    leaseUntil: moment("lease_until"),
    /** When a worker leases the delivery next; null if none will. */
    dueAt: moment("due_at"),
    deliveredAt: moment("delivered_at"),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    traceparent: traceparent(),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.id] }),
    foreignKey({
      name: "webhook_deliveries_event",
      columns: [table.platformId, table.eventId],
      foreignColumns: [webhookEvents.platformId, webhookEvents.id],
    }).onDelete("cascade"),
    index("webhook_deliveries_of_event").on(table.platformId, table.eventId),
    index("webhook_deliveries_of_endpoint").on(table.endpointId, desc(table.createdAt), desc(table.id)),
    index("webhook_deliveries_of_status").on(
      table.endpointId,
      table.status,
      desc(table.createdAt),
      desc(table.id),
    ),
    index("webhook_deliveries_of_record")
      .on(table.platformId, table.recordId)
      .where(sql`${table.recordId} is not null`),
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt, table.id)
      .where(sql`${table.status} = 'pending'`),
    index("webhook_deliveries_order")
      .on(table.endpointId, table.recordId, table.sequence)
      .where(sql`${table.status} = 'pending' and ${table.recordId} is not null`),
    oneOf("webhook_deliveries_status", table.status, deliveryStatuses),
    check("webhook_deliveries_due_while_pending", sql`(status = 'pending') = (due_at is not null)`),
    ownerTask("lease_webhooks"),
    ownerTask("sweep_webhooks"),
    ownerTask("sweep_users", "select"),
    ownerTask("read_webhooks", "select"),
  ],
);

/** The completed attempts of deliveries. A crash leaves no row. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    platformId: text("platform_id").notNull(),
    deliveryId: text("delivery_id").notNull(),
    lease: integer("lease").notNull(),
    /** The number of the attempt within its delivery, starting at 1. */
    number: integer("number").notNull(),
    startedAt: moment("started_at").notNull(),
    milliseconds: integer("milliseconds").notNull(),
    /** The HTTP status; null without a response. */
    status: integer("status"),
    /** Why there was no response. */
    reason: text("reason").$type<WebhookAttempt["reason"]>(),
    /** The first bytes of the response, encrypted under the endpoint's data key. */
    excerpt: bytea("excerpt"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.deliveryId, table.lease] }),
    foreignKey({
      name: "webhook_attempts_delivery",
      columns: [table.platformId, table.deliveryId],
      foreignColumns: [webhookDeliveries.platformId, webhookDeliveries.id],
    }).onDelete("cascade"),
    oneOf("webhook_attempts_reason", table.reason, undeliveredReasons),
    check("webhook_attempts_outcome", sql`num_nonnulls(status, reason) = 1`),
  ],
);
