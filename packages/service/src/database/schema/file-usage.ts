import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text } from "drizzle-orm/pg-core";
import { platforms } from "./platforms.ts";
import { ownerTask, platformIsolation } from "./policies.ts";

/** The storage usage of each platform. A trigger on `files` updates it in the same transaction. */
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
