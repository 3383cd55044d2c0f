import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/** The tenants, and the platform `internal` of the internal apps. */
export const platforms = pgTable(
  "platforms",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    platformIsolation(table.id),
    operatorsRead(table.id),
    check("platforms_id_given", sql`${table.id} <> ''`),
    ownerTask("list_platforms", "select"),
    ownerTask("checkpoint_audit", "select"),
  ],
);
