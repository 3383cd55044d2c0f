import type {
  Attempt,
  KycChange,
  KycRecord,
  KycState,
  RecordEvent,
  RestrictedReason,
} from "@cardbridge/domain";
import { desc, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bytea, moment, nullableJson, traceparent } from "./columns.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";
import { users } from "./users.ts";

/** The state of a submission: the current state in a record, each state in a row of its history. */
const stateColumns = () => ({
  resolution: text("resolution").$type<KycState["resolution"]>().notNull(),
  status: text("status").$type<KycState["status"]>(),
  subStatus: text("sub_status"),
  cardAccountId: text("card_account_id"),
  // A provider's revisions may be timestamps in milliseconds.
  revision: bigint("revision", { mode: "number" }),
  /** Why the provider refused or rejected it; null if it did neither, or gave no reason. */
  explanation: nullableJson("explanation").$type<KycState["explanation"]>(),
});

/** An id whose order does not depend on the collation of the database. */
const ascii = (id: AnyPgColumn) => sql`${id} collate "C"`;

const isOpen = sql.raw("due_at is not null or needs_attention_since is not null");

export const kycRecords = pgTable(
  "kyc_records",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id").notNull(),
    userId: text("user_id").notNull(),
    /** The submission, encrypted under the user's data key; null after the user is erased. */
    encrypted: bytea("encrypted"),
    /** A keyed hash of the submission: equal bodies have equal fingerprints. Null after the user is erased. */
    fingerprint: bytea("fingerprint"),
    ...stateColumns(),
    /** The number of the attempt that may store a verdict; starts at 1. */
    attempt: integer("attempt").notNull(),
    /** The first step of the next attempt. */
    step: text("step").$type<Attempt["step"]>().notNull().default("send"),
    /** The number of consecutive queries for which the provider did not find the reference. */
    notFound: integer("not_found").notNull().default(0),
    /** When the lease of the current attempt ends; null while no attempt owns the record. */
    leaseUntil: moment("lease_until"),
    /** When a worker leases the record next; null once the provider has decided or while the record needs attention. */
    dueAt: moment("due_at"),
    /** Since when workers no longer attempt the record, because it stayed unresolved for too long. */
    needsAttentionSince: moment("needs_attention_since"),
    /** When an operator last requeued the record: it then needs attention no sooner than a new record does. */
    requeuedAt: moment("requeued_at"),
    // clock_timestamp, not now: a submission that waited for another submission creates the newer record.
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    answeredAt: moment("answered_at"),
    /** When the provider first approved it; null before, and while the approval of an earlier version stands. */
    approvedAt: moment("approved_at"),
    /** The approved record that this one renews. */
    renews: text("renews"),
    /** Whether the document's date has passed, as a worker last saw it; null without a date, and after an erasure. */
    documentExpiry: text("document_expiry").$type<KycRecord["documentExpiry"]>(),
    /**
     * When a worker looks at the date of an approved record again, in a coarse month, because the date is encrypted; the
     * epoch before it first does; null if nothing changes any more.
     */
    documentCheckAt: moment("document_check_at").default(sql`'epoch'::timestamptz`),
    traceparent: traceparent(),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    foreignKey({
      name: "kyc_records_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }),
    unique("kyc_records_of_platform").on(table.platformId, table.id),
    // Without the platform, which the user implies: otherwise a plan may use this index to scan the platform's records.
    index("kyc_records_latest").on(table.userId, desc(table.createdAt)),
    // The due records of each platform, by resolution: workers lease round robin among the platforms.
    index("kyc_records_due")
      .on(table.platformId, table.resolution, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    // Searches by operators, in the order of creation: of all platforms, of one, and of open records.
    // With nulls first and the platform in another collation, so that a plan for a user's latest record, which may stem from
    // an empty table, does not use them to scan the platform's records.
    index("kyc_records_created").on(table.createdAt.nullsFirst(), ascii(table.id)),
    index("kyc_records_created_of_platform").on(
      ascii(table.platformId),
      table.createdAt.nullsFirst(),
      ascii(table.id),
    ),
    // With the platform, so that a count or a search skips other platforms' records without reading their rows.
    index("kyc_records_open")
      .on(table.createdAt.nullsFirst(), ascii(table.id), table.platformId)
      .where(isOpen),
    // Together with kyc_records_due, finds the waiting records without reading decided records.
    index("kyc_records_needing_attention")
      .on(table.createdAt.nullsFirst(), ascii(table.id), table.platformId)
      .where(sql`${table.needsAttentionSince} is not null`),
    // Counts of decisions. A submission adds no entry, its decision does.
    index("kyc_records_decided")
      .on(table.resolution, table.status, table.platformId)
      .where(sql.raw("due_at is null and needs_attention_since is null")),
    index("kyc_records_documents")
      .on(table.documentCheckAt)
      .where(sql.raw("status = 'APPROVED' and document_check_at is not null")),
    // Searches and counts of documents that need the platform, with the platform as above.
    index("kyc_records_expiring")
      .on(table.documentExpiry, table.createdAt.nullsFirst(), ascii(table.id), table.platformId)
      .where(sql.raw("status = 'APPROVED' and document_expiry in ('expiring', 'expired')")),
    index("kyc_records_of_card").on(table.cardAccountId).where(sql`${table.cardAccountId} is not null`),
    check(
      "kyc_records_due_while_unresolved",
      sql`resolution <> 'unresolved' or due_at is not null or needs_attention_since is not null`,
    ),
    check("kyc_records_whole_until_erased", sql`num_nonnulls(encrypted, fingerprint) in (0, 2)`),
    ownerTask("lease_due"),
    ownerTask("read_records", "select"),
    ownerTask("erase"),
    ownerTask("sweep_users"),
    ownerTask("sweep_webhooks", "select"),
  ],
);

/** Each state of a record, with its time and source. The service only inserts rows; a row is deleted with its record. */
export const kycHistory = pgTable(
  "kyc_history",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    source: text("source").$type<KycChange["source"]>().notNull(),
    ...stateColumns(),
    /** The reasons that only compliance may read. The service's role inserts them and cannot read them. */
    restrictedReasons: text("restricted_reasons").array().$type<RestrictedReason[]>().notNull().default([]),
    /** An event that is no change of the state; null for a change. */
    event: nullableJson("event").$type<RecordEvent | null>(),
    /** Who decided manually, as the audit names the actor; null for other sources. */
    actor: text("actor"),
    observedAt: moment("observed_at").notNull().default(sql`clock_timestamp()`),
    /** The transaction that wrote the row. Subscribers read changes in this order, after all older transactions end. */
    txid: bigint("txid", { mode: "bigint" }).notNull().default(sql`audit_txid(pg_current_xact_id())`),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    foreignKey({
      name: "kyc_history_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }),
    index("kyc_history_of_record").on(table.platformId, table.recordId, table.id),
    index("kyc_history_changes").on(table.platformId, table.txid, table.id),
    // For readers of all platforms' changes. A large table would block for long while it gets an index.
    index("kyc_history_all_changes").on(table.txid, table.id),
    // After a restore, transaction ids must continue above every stored id: docs/operate/backup.md.
    ownerTask("checkpoint_audit", "select"),
    ownerTask("sweep_users"),
  ],
);
