import { sql } from "drizzle-orm";
import { foreignKey, index, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";
import { users } from "./users.ts";

/** The columns that an insert sets. The service's role may write no other columns. */
export const holdColumns = () => ({
  id: text("id").primaryKey(),
  platformId: text("platform_id").notNull(),
  userId: text("user_id").notNull(),
  /** Null for a hold of the user, which covers all of their records. */
  recordId: text("record_id"),
  reference: text("reference").notNull(),
  /** When the hold ends by itself; null if only a lift ends it. */
  until: moment("until"),
  placedBy: text("placed_by").notNull(),
});

/** Legal holds. Only the function lift_hold changes a row, and the foreign keys keep what a hold refers to. */
export const holds = pgTable(
  "holds",
  {
    ...holdColumns(),
    placedAt: moment("placed_at").notNull().default(sql`clock_timestamp()`),
    liftedBy: text("lifted_by"),
    liftedAt: moment("lifted_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    foreignKey({
      name: "holds_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }),
    foreignKey({
      name: "holds_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }),
    index("holds_of_user").on(table.platformId, table.userId),
    index("holds_of_record").on(table.platformId, table.recordId).where(sql`${table.recordId} is not null`),
    ownerTask("erase", "select"),
    ownerTask("sweep_users"),
    ownerTask("sweep_webhooks", "select"),
  ],
);
