import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { ownerTask, platformIsolation } from "./policies.ts";

/** The record that belongs to a caller's Idempotency-Key. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    operation: text("operation").notNull(),
    /** A keyed hash, because a caller may put personal data into a key. */
    keyHash: bytea("key_hash").notNull(),
    /** The fingerprint of the first body that was sent with the key. */
    fingerprint: bytea("fingerprint").notNull(),
    // No foreign key: the key is inserted before its record, in the same transaction.
    recordId: text("record_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    platformIsolation(table.platformId),
    primaryKey({ columns: [table.platformId, table.operation, table.keyHash] }),
    index("idempotency_keys_age").on(table.createdAt),
    index("idempotency_keys_of_record").on(table.platformId, table.recordId),
    ownerTask("delete_idempotency_keys"),
    ownerTask("erase"),
    ownerTask("sweep_users"),
  ],
);
