import type { AuditOutcome, EvidencePurpose } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { bigint, date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, milliseconds, moment } from "./columns.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/** The columns that an insert sets. The service's role may write no other columns. */
export const auditEntryColumns = () => ({
  // No foreign key: every submission of a platform would lock the platform's row.
  platformId: text("platform_id").notNull(),
  actor: text("actor").notNull(),
  /** The operation's id, such as `kyc.submit`. */
  operation: text("operation").notNull(),
  subject: text("subject"),
  outcome: text("outcome").$type<AuditOutcome>().notNull(),
  requestId: text("request_id"),
  address: text("address"),
  /** Why personal data was read; null for other calls. */
  purpose: text("purpose").$type<EvidencePurpose>(),
});

/** Who did what, when and from where, in one partition per month. The service only inserts rows. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    ...auditEntryColumns(),
    at: milliseconds("at").notNull().default(sql`clock_timestamp()`),
    /** The transaction that wrote the entry. Checkpoints cover entries in this order, once older transactions end. */
    txid: bigint("txid", { mode: "bigint" }).notNull().default(sql`audit_txid(pg_current_xact_id())`),
    /** The number of calls that the entry stands for; null for one call. Only write_read_counts sets it. */
    count: integer("count"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    // A key of a partitioned table contains the column that selects the partition.
    primaryKey({ columns: [table.platformId, table.txid, table.id, table.at] }),
    ownerTask("checkpoint_audit", "select"),
    ownerTask("count_reads", "insert"),
    ownerTask("drop_audit", "select"),
  ],
);

/**
 * The reads of a day after the first one, which has an audit entry, of each key, address and record. Only functions
 * write the rows: a read adds one, and after the day one audit entry replaces the row.
 */
export const auditReads = pgTable(
  "audit_reads",
  {
    /** In UTC. */
    day: date("day").notNull(),
    platformId: text("platform_id").notNull(),
    subject: text("subject").notNull(),
    operation: text("operation").notNull(),
    actor: text("actor").notNull(),
    /** Empty for a call without a network. */
    address: text("address").notNull(),
    count: integer("count").notNull().default(0),
    lastAt: milliseconds("last_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    platformIsolation(table.platformId),
    primaryKey({
      name: "audit_reads_of_day",
      columns: [table.day, table.platformId, table.subject, table.operation, table.actor, table.address],
    }),
    ownerTask("count_reads"),
    ownerTask("drop_audit", "select"),
  ],
);

/** The hash chain over a platform's entries. The service only inserts rows. */
export const auditCheckpoints = pgTable(
  "audit_checkpoints",
  {
    platformId: text("platform_id").notNull(),
    /** Starts at 1, without gaps. */
    number: integer("number").notNull(),
    /** The first and the last entry that the checkpoint covers. */
    firstTxid: bigint("first_txid", { mode: "bigint" }).notNull(),
    firstId: bigint("first_id", { mode: "bigint" }).notNull(),
    lastTxid: bigint("last_txid", { mode: "bigint" }).notNull(),
    lastId: bigint("last_id", { mode: "bigint" }).notNull(),
    count: integer("count").notNull(),
    /** HMAC over the entries. */
    digest: bytea("digest").notNull(),
    previousHash: bytea("previous_hash").notNull(),
    /** The root of the Merkle tree over the entries, which the log publishes; null for a checkpoint of an earlier version. */
    root: bytea("root"),
    /** HMAC over all other columns of this row. */
    hash: bytea("hash").notNull(),
    createdAt: milliseconds("created_at").notNull(),
  },
  (table) => [
    platformIsolation(table.platformId),
    primaryKey({ columns: [table.platformId, table.number] }),
    ownerTask("checkpoint_audit", "select"),
    ownerTask("drop_audit"),
  ],
);

/** The columns that an insert sets. The service's role may write no other columns. */
export const auditExportColumns = () => ({
  platformId: text("platform_id").notNull(),
  /** Its first day, in UTC. */
  month: date("month").notNull(),
  /** The exported checkpoints, with all of their entries. */
  firstNumber: integer("first_number").notNull(),
  lastNumber: integer("last_number").notNull(),
  /** The hash of the last checkpoint. */
  lastHash: bytea("last_hash").notNull(),
  entries: integer("entries").notNull(),
  /** The SHA-256 of the file. */
  digest: bytea("digest").notNull(),
  exportedBy: text("exported_by").notNull(),
  /** HMAC over the columns above. */
  hash: bytea("hash").notNull(),
});

/** The exported months of a platform's audit. The last dropped one is the anchor from which verification starts. */
export const auditExports = pgTable(
  "audit_exports",
  {
    ...auditExportColumns(),
    exportedAt: moment("exported_at").notNull().defaultNow(),
    /** When the month's entries were dropped. Only drop_audit_month sets it. */
    droppedAt: moment("dropped_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.month] }),
    ownerTask("drop_audit"),
  ],
);
