import type { StepResult } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { ofAll, ownerTask, platformIsolation } from "./policies.ts";

/** The results of a submission's steps at the provider: ids, no personal data. An erasure deletes them. */
export const providerSteps = pgTable(
  "provider_steps",
  {
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    /** The adapter's name of the step. */
    name: text("name").notNull(),
    /** The attempt that stored the result. */
    attempt: integer("attempt").notNull(),
    result: jsonb("result").$type<StepResult>().notNull(),
    keptAt: moment("kept_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    platformIsolation(table.platformId),
    primaryKey({ columns: [table.platformId, table.recordId, table.name] }),
    foreignKey({
      name: "provider_steps_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }),
    index("provider_steps_by_id").on(table.name, sql`(result ->> 'id')`),
    ownerTask("read_records", "select"),
    ownerTask("erase"),
    ownerTask("sweep_users"),
  ],
);

/** Events of the provider about submissions that only the provider can name. A worker asks, and deletes the row. */
export const providerLookups = pgTable(
  "provider_lookups",
  {
    /** The provider's id in the event. */
    id: text("id").primaryKey(),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    dueAt: moment("due_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [ofAll("provider_lookups_of_all"), index("provider_lookups_due").on(table.dueAt)],
);
