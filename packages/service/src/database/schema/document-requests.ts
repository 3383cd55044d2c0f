import {
  type DocumentRequestState,
  documentRequestStatuses,
  type KycChange,
  kycReasonCodes,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bytea, milliseconds, moment } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { oneOf, operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/**
 * The further documents that the provider asks for, each with the platform's answer. Writers lock the record first. A
 * trigger adds each change that callers see to kyc_history, and a final decision closes the requests. They are deleted with
 * the record.
 */
export const documentRequests = pgTable(
  "document_requests",
  {
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    id: text("id").notNull(),
    /** The provider's id of the request. */
    providerId: text("provider_id").notNull(),
    documentType: text("document_type").notNull(),
    accepts: text("accepts").array().notNull(),
    reason: text("reason").$type<DocumentRequestState["reason"]>(),
    requestedAt: moment("requested_at").notNull(),
    dueAt: moment("due_at"),
    status: text("status").$type<DocumentRequestState["status"]>().notNull(),
    /** The order of the provider's changes of this request. */
    revision: bigint("revision", { mode: "number" }).notNull(),
    /** The provider takes the answers to the record's requests of an equal value in one call only. */
    together: text("together"),
    /** The source of the latest change, for its row of kyc_history. */
    source: text("source").$type<KycChange["source"]>().notNull(),
    // Whole, because it is part of the reference of the answer: writing it back must not change it.
    answeredAt: milliseconds("answered_at"),
    /** When the provider had the answer. */
    sentAt: moment("sent_at"),
    /** The files of the answer, encrypted under the user's data key; null before the answer and after an erasure. */
    encrypted: bytea("encrypted"),
    /** A keyed hash of the answer's files; null when `encrypted` is. */
    fingerprint: bytea("fingerprint"),
    /** When an attempt last sent the answer, also if nobody knows whether it arrived; null before. */
    attemptedAt: moment("attempted_at"),
    /** The number of times that the provider showed the request as open after that. */
    notFound: integer("not_found").notNull().default(0),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.recordId, table.id] }),
    unique("document_requests_of_provider").on(table.platformId, table.recordId, table.providerId),
    foreignKey({
      name: "document_requests_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
    // The requests that wait for a platform or for a worker, for searches and counts.
    index("document_requests_waiting")
      .on(table.platformId, table.status, table.dueAt)
      .where(sql`status <> 'closed' and sent_at is null`),
    oneOf("document_requests_status", table.status, documentRequestStatuses),
    oneOf("document_requests_reason", table.reason, kycReasonCodes),
    check("document_requests_answer", sql`num_nonnulls(encrypted, fingerprint) in (0, 2)`),
    ownerTask("read_records", "select"),
    ownerTask("erase"),
  ],
);
