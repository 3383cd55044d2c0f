import { type Blobs, Failure, type Files, type KeptFile, type UploadUrlUse } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import { isUniqueViolation } from "../database/errors.ts";
import { files, fileUsage } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { createDataKey } from "../encryption/data-key.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import type { Ports } from "../operation/ports.ts";
import { encryptBlob, type FileRef, wrapByRing } from "./file-key.ts";

/** When an unfinished upload expires. */
const uploadExpiry = sql`clock_timestamp() + interval '1 hour'`;

/** How long a stored file lives unless a submission uses it. */
const unused = sql`interval '24 hours'`;

/** The first result of an upload. A submission removes `expires_at`, so the expiry derives from `stored_at`. */
const keptFile = {
  fileId: files.id,
  contentType: files.contentType,
  expiresAt: sql<Date>`${files.storedAt} + ${unused}`.mapWith(files.expiresAt),
};

type UsedUrl = Pick<typeof files.$inferInsert, "uploadId"> & { uploadFingerprint: Buffer };

/** The columns of a file that used an upload URL. Without the key, they do not reveal whether two files are equal. */
function usedUrl({ uploadId, sha256 }: UploadUrlUse, key: Buffer): UsedUrl {
  return { uploadId, uploadFingerprint: fingerprint(sha256, key) };
}

type KeepPorts = Pick<Ports, "database" | "personalDataKeys">;

/** A platform's limit. Every file that is not deleted counts, including expiring files and unfinished uploads. */
export interface FileQuota {
  files: number;
  bytes: number;
}

/**
 * Stores a file in three steps: inserts its row, stores its blob, marks the row as stored. The last step also uses the
 * upload URL, so an upload that is interrupted before it leaves the URL unused.
 */
export function keepFiles(ports: KeepPorts, blobs: Blobs, quota: FileQuota): Files["keep"] {
  const { database, personalDataKeys } = ports;
  return async (platformId, { fileId, blobName, purpose, contentType, bytes }, use) => {
    const { ring, fingerprints } = await personalDataKeys();
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
      const first = await findKept(ports, platformId, use);
      if (!first) throw error;
      return first;
    }
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

/**
 * Finds the file that used an upload URL; null while no upload to the URL is complete.
 * @throws Failure UPLOAD_URL_USED if that file has other bytes, SERVICE_UNAVAILABLE.
 */
export async function findKept(
  { database, personalDataKeys }: KeepPorts,
  platformId: string,
  use: UploadUrlUse,
): Promise<KeptFile | null> {
  const { fingerprints } = await personalDataKeys();
  const { uploadFingerprint } = usedUrl(use, fingerprints);
  const isUsed = and(eq(files.platformId, platformId), eq(files.uploadId, use.uploadId));
  type Found = KeptFile & { sent: Buffer | null };
  const row = await database.asPlatform<Found | null>(platformId, async (tx) => {
    const found = tx
      .select({ ...keptFile, sent: files.uploadFingerprint })
      .from(files)
      .where(isUsed);
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!row) return null;
  const { sent, ...kept } = row;
  if (!sent?.equals(uploadFingerprint)) throw new Failure("UPLOAD_URL_USED");
  return kept;
}
