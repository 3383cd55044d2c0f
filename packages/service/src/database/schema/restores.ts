import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { bytea, milliseconds, moment } from "./columns.ts";
import { ofAll, ownerTask } from "./policies.ts";

/**
 * The log of erasures. Each row becomes an object of the file store before its user is erased, so that a restored
 * database learns whom to erase again. The rows of users who were erased before the log existed have no number at first.
 */
export const erasureLog = pgTable(
  "erasure_log",
  {
    userId: text("user_id").primaryKey(),
    platformId: text("platform_id").notNull(),
    /** Starts at 1, without gaps. Null until the entry is part of the chain. */
    number: bigint("number", { mode: "number" }),
    at: milliseconds("at"),
    previousHash: bytea("previous_hash"),
    /** HMAC over all other columns of the entry. */
    hash: bytea("hash"),
    /** When the file store had the entry. */
    storedAt: moment("stored_at"),
  },
  (table) => [
    unique("erasure_log_number").on(table.number),
    index("erasure_log_pending").on(table.number).where(sql`stored_at is null`),
    check("erasure_log_whole", sql`num_nonnulls(number, at, previous_hash, hash) in (0, 4)`),
    ownerTask("erase"),
  ],
);

/** Restores of this database. The service does not start while one is not checked. */
export const restores = pgTable(
  "restores",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    begunAt: moment("begun_at").notNull().defaultNow(),
    checkedAt: moment("checked_at"),
    /** Whether the provider listed the executions that the database forgot. */
    listed: boolean("listed").notNull().default(false),
  },
  () => [ofAll("restores_of_all")],
);

/**
 * Executions of the provider that a restored database had forgotten. A user who is unknown too has no platform, so that
 * only the fingerprint, which contains it, tells whose submission it was.
 */
export const restoredExecutions = pgTable(
  "restored_executions",
  {
    /** The kycRecordId. */
    reference: text("reference").primaryKey(),
    /** The externalUserId. */
    userReference: text("user_reference").notNull(),
    /** The keyed hash that the submission had; null if the provider did not keep it. */
    fingerprint: text("fingerprint"),
    foundAt: moment("found_at").notNull().defaultNow(),
  },
  (table) => [
    ofAll("restored_executions_of_all"),
    index("restored_executions_fingerprint").on(table.fingerprint),
    index("restored_executions_user").on(table.userReference),
  ],
);
