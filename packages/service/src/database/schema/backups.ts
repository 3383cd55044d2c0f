import { sql } from "drizzle-orm";
import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { ofAll, oneOf } from "./policies.ts";

/** A backup is made each day, and restored for a proof each week. */
export const backupSteps = ["made", "verified"] as const;
/** Of `pg_dump`, or of `pg_basebackup` with the archived write-ahead log. */
export const backupKinds = ["dump", "base"] as const;

/** The attempts to make and to verify a backup. Only `cardbridge-backup` inserts rows, as a member of the backup role. */
export const backups = pgTable(
  "backups",
  {
    step: text("step", { enum: backupSteps }).notNull(),
    kind: text("kind", { enum: backupKinds }).notNull(),
    ok: boolean("ok").notNull(),
    finishedAt: moment("finished_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    ofAll("backups_of_all"),
    primaryKey({ name: "backups_in_order", columns: [table.step, table.finishedAt] }),
    oneOf("backups_step", table.step, backupSteps),
    oneOf("backups_kind", table.kind, backupKinds),
  ],
);
