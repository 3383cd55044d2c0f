import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/** The columns that an insert sets. */
export const pauseColumns = () => ({
  id: text("id").primaryKey(),
  /** The paused platform. `internal`, whose keys cannot be paused, stands for the card provider. */
  platformId: text("platform_id")
    .notNull()
    .references(() => platforms.id),
  /** The operators' text, which platforms read. It contains no personal data. */
  reason: text("reason").notNull(),
  until: moment("until").notNull(),
  pausedBy: text("paused_by").notNull(),
  /** The person who paused; null for a call without a person. */
  personId: text("person_id"),
});

/** Pauses of calls to the provider and of platforms. A pause has ended at `ended_at`, or without it, at `until`. */
export const pauses = pgTable(
  "pauses",
  {
    ...pauseColumns(),
    pausedAt: moment("paused_at").notNull().default(sql`clock_timestamp()`),
    resumedBy: text("resumed_by"),
    /** When it was resumed; for a pause past its `until`, that time, as soon as the next pause of the target begins. */
    endedAt: moment("ended_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    ownerTask("read_pauses", "select"),
    // Every process reads the open pauses once a second.
    uniqueIndex("pauses_open").on(table.platformId).where(sql`${table.endedAt} is null`),
    index("pauses_of_platform").on(table.platformId, table.pausedAt),
  ],
);
