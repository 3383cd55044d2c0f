import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text } from "drizzle-orm/pg-core";
import { platforms } from "./platforms.ts";
import { ownerTask, platformIsolation } from "./policies.ts";

/** How much each platform stores. A trigger of `files` maintains it, in the transaction that changes `files`. */
export const fileUsage = pgTable(
  "file_usage",
  {
    platformId: text("platform_id")
      .primaryKey()
      .references(() => platforms.id),
    files: bigint("files", { mode: "number" }).notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
  },
  (table) => [
    platformIsolation(table.platformId),
    check("file_usage_not_negative", sql`files >= 0 and bytes >= 0`),
    ownerTask("expire_files"),
    ownerTask("list_platforms", "select"),
  ],
);
