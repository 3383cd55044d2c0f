import { storedAttempt } from "@cardbridge/domain";
import { foreignKey, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { operatorsRead, platformIsolation } from "./policies.ts";

const { step, outcome } = storedAttempt.shape;

/**
 * The attempts of a record that stored their outcome: codes, no personal data. Equal consecutive attempts share a row.
 * An attempt whose process ended, or whose lease expired, before it stored its outcome has no row: its number is
 * missing. Only record_attempt writes rows, and it keeps the first 5 and the last 45. They are deleted with the record.
 */
export const kycAttempts = pgTable(
  "kyc_attempts",
  {
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    /** The number of the first of these attempts. */
    number: integer("number").notNull(),
    lastNumber: integer("last_number").notNull(),
    step: text("step").$type<(typeof step.options)[number]>().notNull(),
    outcome: text("outcome").$type<(typeof outcome.options)[number]>().notNull(),
    /** A code; null if the provider answered. */
    reason: text("reason"),
    startedAt: moment("started_at").notNull(),
    lastStartedAt: moment("last_started_at").notNull(),
    /** The duration of the last of these attempts. */
    milliseconds: integer("milliseconds").notNull(),
    /** `submission`, `worker`, or the actor of a manual attempt. */
    actor: text("actor").notNull(),
    count: integer("count").notNull().default(1),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.recordId, table.number] }),
    foreignKey({
      name: "kyc_attempts_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
  ],
);
