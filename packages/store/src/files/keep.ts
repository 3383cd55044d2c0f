import { type Blobs, Failure, type Files } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import type { Database } from "../database.ts";
import { createDataKey } from "../encryption/data-key.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { files, fileUsage } from "../schema.ts";
import { pipelineCommit } from "../transaction.ts";
import { encryptBlob, type FileRef, wrapByRing } from "./file-key.ts";

/** When a stored file expires unless a submission uses it, and when an unfinished upload expires. */
const unusedExpiry = sql`clock_timestamp() + interval '24 hours'`;
const uploadExpiry = sql`clock_timestamp() + interval '1 hour'`;

/** A platform's limit. Every file that is not deleted counts, including expiring files and unfinished uploads. */
export interface FileQuota {
  files: number;
  bytes: number;
}

/** Stores a file in three steps: inserts its row, stores its blob, marks the row as stored. */
export function keepFiles(
  database: Database,
  verifiedKeys: VerifiedKeys,
  blobs: Blobs,
  quota: FileQuota,
): Pick<Files, "keep"> {
  return {
    async keep(platformId, { fileId, blobName, purpose, contentType, bytes }) {
      const { ring } = await verifiedKeys();
      const ref = { platformId, fileId };
      const key = createDataKey();
      const row = { id: fileId, platformId, purpose, contentType, size: bytes.byteLength, blobName };
      await insertWithinQuota(platformId, { ...row, ...wrapByRing(key, ref, ring), expiresAt: uploadExpiry });
      await blobs.put(blobName, encryptBlob(bytes, key, ref));
      return { expiresAt: await markStored(ref) };
    },
  };

  /** The insert locks the platform's usage, so each concurrent upload sees the uploads before it. */
  function insertWithinQuota(platformId: string, values: PgInsertValue<typeof files>): Promise<void> {
    return database.asPlatform<void>(platformId, async (tx) => {
      const isPlatform = eq(fileUsage.platformId, platformId);
      const [, [usage]] = await Promise.all([
        tx.insert(files).values(values),
        tx.select({ files: fileUsage.files, bytes: fileUsage.bytes }).from(fileUsage).where(isPlatform),
      ]);
      if (!usage || usage.files > quota.files || usage.bytes > quota.bytes) {
        throw new Failure("FILE_QUOTA_EXCEEDED");
      }
    });
  }

  /** @throws Failure REQUEST_TIMEOUT where the upload took longer than an hour and a sweep deleted its row. */
  async function markStored({ platformId, fileId }: FileRef): Promise<Date> {
    const isUnfinished = and(eq(files.id, fileId), isNull(files.storedAt), isNotNull(files.dataKey));
    const expiresAt = await database.asPlatform<Date | null>(platformId, async (tx) => {
      const stored = tx
        .update(files)
        .set({ storedAt: sql`clock_timestamp()`, expiresAt: unusedExpiry })
        .where(and(eq(files.platformId, platformId), isUnfinished))
        .returning({ expiresAt: sql<Date>`${files.expiresAt}`.mapWith(files.expiresAt) });
      return pipelineCommit([stored], ([rows]) => rows[0]?.expiresAt ?? null);
    });
    if (!expiresAt) throw new Failure("REQUEST_TIMEOUT");
    return expiresAt;
  }
}
