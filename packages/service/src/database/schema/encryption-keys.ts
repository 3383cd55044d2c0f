import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { ownerTask } from "./policies.ts";

/** The encryption keys that this database has been used with; see check_encryption_keys. */
export const knownEncryptionKeys = pgTable(
  "known_encryption_keys",
  {
    name: text("name").primaryKey(),
    /** The version in the key ring; null for the fingerprint key. */
    ringVersion: integer("ring_version"),
    /** Derived from the key by a one-way function. */
    checkValue: text("check_value").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  () => [ownerTask("check_encryption_keys")],
);
