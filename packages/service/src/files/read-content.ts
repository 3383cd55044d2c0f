import type { Blobs, Files } from "@cardbridge/domain";
import { and, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { unavailable } from "../database/errors.ts";
import { files, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { unwrapDataKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { decryptBlob, type FileRef, unwrapByRing, unwrapByUser } from "./file-key.ts";

interface FileRow {
  contentType: (typeof files.$inferSelect)["contentType"];
  blobName: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
  userId: string | null;
  userKey: Buffer | null;
  userKeyVersion: number | null;
}

/** Reads a file: its row, its key and its blob. */
export function readFiles(
  database: Database,
  verifiedKeys: VerifiedKeys,
  blobs: Blobs,
): Pick<Files, "read" | "platformOf"> {
  return {
    async read(platformId, fileId) {
      const { ring } = await verifiedKeys();
      const ref = { platformId, fileId };
      const row = await find(ref);
      if (!row) return null;
      const key = keyOfFile(row, ref, ring);
      const encrypted = await blobs.get(row.blobName);
      // The row exists, so the blob was lost: a fault of the service.
      if (!encrypted) throw unavailable(new Error("A blob is missing."));
      return { contentType: row.contentType, bytes: decryptBlob(encrypted, key, ref) };
    },

    platformOf: (fileId) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string | null }>(
          sql`select platform_of_file(${fileId}) as platform_id`,
        );
        return rows[0]?.platform_id ?? null;
      }),
  };

  function find({ platformId, fileId }: FileRef): Promise<FileRow | null> {
    const { contentType, blobName, dataKey, keyVersion, userId } = files;
    const isFile = and(eq(files.platformId, platformId), eq(files.id, fileId));
    const isStored = and(isNotNull(files.storedAt), isNotNull(files.dataKey));
    const isUnexpired = or(isNull(files.expiresAt), gt(files.expiresAt, sql`clock_timestamp()`));
    return database.asPlatform<FileRow | null>(platformId, async (tx) => {
      const found = tx
        .select({
          contentType,
          blobName,
          dataKey,
          keyVersion,
          userId,
          userKey: users.dataKey,
          userKeyVersion: users.keyVersion,
        })
        .from(files)
        .leftJoin(users, and(eq(users.platformId, files.platformId), eq(users.id, files.userId)))
        .where(and(isFile, isStored, isUnexpired));
      return pipelineCommit([found], ([rows]) => rows[0] ?? null);
    });
  }
}

/** @throws Failure SERVICE_UNAVAILABLE where the configured keys cannot decrypt it. */
function keyOfFile({ dataKey, keyVersion, ...row }: FileRow, ref: FileRef, ring: KeyRing): Buffer {
  if (dataKey && keyVersion !== null) return unwrapByRing(dataKey, keyVersion, ref, ring);
  const { userId, userKey, userKeyVersion } = row;
  if (!dataKey || !userId || !userKey || userKeyVersion === null)
    throw unavailable(new Error("A key is missing."));
  const wrapped = { dataKey: userKey, keyVersion: userKeyVersion };
  const owner = { platformId: ref.platformId, userId };
  return unwrapByUser(dataKey, ref, unwrapDataKey(wrapped, owner, ring));
}
