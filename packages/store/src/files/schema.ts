import type { FilePurpose, FileType } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, moment, ofPlatform, ofTask } from "../columns.ts";
import { platforms, users } from "../schema.ts";

/**
 * Uploaded files. A row comes before its blob, and goes after it: whatever dies in between, nothing is left
 * that no row knows of.
 */
export const files = pgTable(
  "files",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    purpose: text("purpose").$type<FilePurpose>().notNull(),
    contentType: text("content_type").$type<FileType>().notNull(),
    /** A keyed hash of the upload and its purpose, by which the same one is known again. */
    digest: bytea("digest").notNull(),
    /** Under which random name the sealed blob is kept. */
    blobName: text("blob_name").notNull(),
    /**
     * The file's own key: wrapped by the key ring until a submission uses the file, and by the data key of its user from
     * then on. Null once the file is given up.
     */
    dataKey: bytea("data_key"),
    /** The version of the key ring; null under a user's data key. */
    keyVersion: integer("key_version"),
    /** Whose submission uses it. */
    userId: text("user_id"),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    /** When the blob was there, whole; the file is none before. */
    storedAt: moment("stored_at"),
    /** When the file may be destroyed; null while a submission uses it. */
    expiresAt: moment("expires_at"),
  },
  (table) => [
    ofPlatform(table.platformId),
    foreignKey({
      name: "files_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }),
    uniqueIndex("files_unused")
      .on(table.platformId, table.digest)
      .where(sql`stored_at is not null and user_id is null and data_key is not null`),
    index("files_of_user").on(table.platformId, table.userId).where(sql`user_id is not null`),
    index("files_expiry").on(table.expiresAt).where(sql`expires_at is not null`),
    check(
      "files_used_or_expiring",
      sql`expires_at is not null or (user_id is not null and data_key is not null)`,
    ),
    ofTask("erase"),
    ofTask("sweep"),
    ofTask("rewrap"),
  ],
);
