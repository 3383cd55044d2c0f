import { Failure, type Files, type KeptFile, type UploadUrlUse } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { files } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";

/** How long a stored file lives unless a submission uses it. */
export const unused = sql`interval '24 hours'`;

/** The first result of an upload. A submission removes `expires_at`, so the expiry derives from `stored_at`. */
export const keptFile = {
  fileId: files.id,
  contentType: files.contentType,
  expiresAt: sql<Date>`${files.storedAt} + ${unused}`.mapWith(files.expiresAt),
};

export type UsedUrl = Pick<typeof files.$inferInsert, "uploadId"> & { uploadFingerprint: Buffer };

/** The columns of a file that used an upload URL. Without the key, they do not reveal whether two files are equal. */
export function usedUrl({ uploadId, sha256 }: UploadUrlUse, key: Buffer): UsedUrl {
  return { uploadId, uploadFingerprint: fingerprint(sha256, key) };
}

/** Finds the files that used upload URLs; see the port for the contract. */
export function findUsedUrls(database: Database, verifiedKeys: VerifiedKeys): Pick<Files, "keptBy"> {
  return {
    async keptBy(platformId, use) {
      const { fingerprints } = await verifiedKeys();
      const { uploadFingerprint } = usedUrl(use, fingerprints);
      const isUsed = and(eq(files.platformId, platformId), eq(files.uploadId, use.uploadId));
      const row = await database.asPlatform<(KeptFile & { sent: Buffer | null }) | null>(
        platformId,
        async (tx) => {
          const found = tx
            .select({ ...keptFile, sent: files.uploadFingerprint })
            .from(files)
            .where(isUsed);
          return pipelineCommit([found], ([rows]) => rows[0] ?? null);
        },
      );
      if (!row) return null;
      const { sent, ...kept } = row;
      if (!sent?.equals(uploadFingerprint)) throw new Failure("UPLOAD_URL_USED");
      return kept;
    },
  };
}
