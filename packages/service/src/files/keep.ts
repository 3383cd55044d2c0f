import { type Blobs, Failure, type Files, type KeptFile } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/errors.ts";
import { files, fileUsage } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { createDataKey } from "../encryption/data-key.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { encryptBlob, type FileRef, wrapByRing } from "./file-key.ts";
import { findUsedUrls, keptFile, type UsedUrl, unused, usedUrl } from "./used-urls.ts";

/** When an unfinished upload expires. */
const uploadExpiry = sql`clock_timestamp() + interval '1 hour'`;

/** A platform's limit. Every file that is not deleted counts, including expiring files and unfinished uploads. */
export interface FileQuota {
  files: number;
  bytes: number;
}

/**
 * Stores a file in three steps: inserts its row, stores its blob, marks the row as stored. The last step also uses the
 * upload URL, so an upload that is interrupted before it leaves the URL unused.
 */
export function keepFiles(
  database: Database,
  verifiedKeys: VerifiedKeys,
  blobs: Blobs,
  quota: FileQuota,
): Pick<Files, "keep" | "keptBy"> {
  const usedUrls = findUsedUrls(database, verifiedKeys);
  return {
    ...usedUrls,
    async keep(platformId, { fileId, blobName, purpose, contentType, bytes }, use) {
      const { ring, fingerprints } = await verifiedKeys();
      const ref = { platformId, fileId };
      const key = createDataKey();
      const row = { id: fileId, platformId, purpose, contentType, size: bytes.byteLength, blobName };
      await insertWithinQuota(platformId, { ...row, ...wrapByRing(key, ref, ring), expiresAt: uploadExpiry });
      await blobs.put(blobName, encryptBlob(bytes, key, ref));
      try {
        return await markStored(ref, use && usedUrl(use, fingerprints));
      } catch (error) {
        if (!use || !isUniqueViolation(error)) throw error;
        await expireNow(ref);
        const first = await usedUrls.keptBy(platformId, use);
        if (!first) throw error;
        return first;
      }
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
  async function markStored({ platformId, fileId }: FileRef, used: UsedUrl | undefined): Promise<KeptFile> {
    const isUnfinished = and(eq(files.id, fileId), isNull(files.storedAt), isNotNull(files.dataKey));
    const kept = await database.asPlatform<KeptFile | null>(platformId, async (tx) => {
      const stored = tx
        .update(files)
        .set({
          ...used,
          storedAt: sql`statement_timestamp()`,
          expiresAt: sql`statement_timestamp() + ${unused}`,
        })
        .where(and(eq(files.platformId, platformId), isUnfinished))
        .returning(keptFile);
      return pipelineCommit([stored], ([rows]) => rows[0] ?? null);
    });
    if (!kept) throw new Failure("REQUEST_TIMEOUT");
    return kept;
  }

  /** Makes an unfinished upload expire, so that the next sweep deletes it. */
  function expireNow({ platformId, fileId }: FileRef): Promise<unknown> {
    const isUnfinished = and(eq(files.id, fileId), isNull(files.storedAt));
    return database.asPlatform(platformId, async (tx) =>
      tx
        .update(files)
        .set({ expiresAt: sql`clock_timestamp()` })
        .where(and(eq(files.platformId, platformId), isUnfinished)),
    );
  }
}
