import { type FilePurpose, type FileType, filePurpose, fileTypes } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { oneOf, ownerTask, platformIsolation } from "./policies.ts";
import { users } from "./users.ts";

/**
 * Uploaded files. A row is inserted before its blob is written and deleted after its blob, so that a crash in between
 * leaves no blob without a row.
 */
export const files = pgTable(
  "files",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    /** The user whose submission uses the file. */
    userId: text("user_id"),
    purpose: text("purpose").$type<FilePurpose>().notNull(),
    contentType: text("content_type").$type<FileType>().notNull(),
    /** The size of the plaintext in bytes. */
    size: bigint("size", { mode: "number" }).notNull().default(0),
    /** The random name under which the encrypted blob is stored. */
    blobName: text("blob_name").notNull(),
    /**
     * The file's own key: wrapped under the key ring until a submission uses the file, then under its user's data key.
     * Null after the file has expired.
     */
    dataKey: bytea("data_key"),
    /** The version of the key ring; null under a user's data key. */
    keyVersion: integer("key_version"),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    /** When the blob was written completely. The file cannot be read before. */
    storedAt: moment("stored_at"),
    /** When the file may be destroyed; null while a submission uses it. */
    expiresAt: moment("expires_at"),
    /** The upload URL that the file used, and the keyed hash of the sent bytes; set when the file is stored. */
    uploadId: text("upload_id"),
    uploadFingerprint: bytea("upload_fingerprint"),
  },
  (table) => [
    platformIsolation(table.platformId),
    foreignKey({
      name: "files_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }),
    index("files_key_version").on(table.keyVersion).where(sql`${table.keyVersion} is not null`),
    index("files_of_user").on(table.platformId, table.userId).where(sql`user_id is not null`),
    index("files_expiry").on(table.expiresAt).where(sql`expires_at is not null`),
    // One file of each upload URL, also of concurrent uploads.
    uniqueIndex("files_upload").on(table.platformId, table.uploadId).where(sql`upload_id is not null`),
    oneOf("files_purpose", table.purpose, filePurpose.options),
    oneOf("files_content_type", table.contentType, fileTypes),
    check(
      "files_used_or_expiring",
      sql`expires_at is not null or (user_id is not null and data_key is not null)`,
    ),
    check("files_uploaded_bytes", sql`(upload_id is null) = (upload_fingerprint is null)`),
    ownerTask("read_files", "select"),
    ownerTask("check_encryption_keys", "select"),
    ownerTask("expire_files"),
    ownerTask("rewrap"),
    ownerTask("erase"),
    ownerTask("sweep_users", "select"),
  ],
);
