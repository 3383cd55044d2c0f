import { type Blobs, Failure, type Files, type NewFile } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import type { Database } from "../database.ts";
import { isUniqueViolation } from "../failures.ts";
import { files, fileUsage } from "../schema.ts";
import { createDataKey } from "../sealing/data-key.ts";
import { fingerprint } from "../sealing/fingerprint.ts";
import type { KeyGate } from "../sealing/key-gate.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { withCommit } from "../transaction.ts";
import { sealBlob, wrapByRing } from "./file-key.ts";

/** When a stored file expires unless a submission uses it, and when an unfinished upload does. */
const unusedExpiry = sql`clock_timestamp() + interval '24 hours'`;
const uploadExpiry = sql`clock_timestamp() + interval '1 hour'`;

/** What a platform may store: every file that is not yet deleted counts, also one that expires or is unfinished. */
export interface FileQuota {
  files: number;
  bytes: number;
}

interface Kept {
  fileId: string;
  expiresAt: Date;
}

/** Keeps a file in three steps: insert its row, put its blob, mark the row as stored. */
export function keepFiles(
  database: Database,
  keyGate: KeyGate,
  blobs: Blobs,
  quota: FileQuota,
): Pick<Files, "keep"> {
  return {
    async keep(platformId, file) {
      const { ring, fingerprints } = await keyGate();
      const digest = fingerprint([file.purpose, file.digest.toString("hex")], fingerprints);
      return (await keepExisting(platformId, digest)) ?? keepNew(platformId, file, { digest, ring });
    },
  };

  async function keepNew(
    platformId: string,
    file: NewFile,
    { digest, ring }: { digest: Buffer; ring: KeyRing },
  ): Promise<Kept> {
    const { fileId, blobName, purpose, contentType, bytes } = file;
    const ref = { platformId, fileId };
    const key = createDataKey();
    const row = { id: fileId, platformId, purpose, contentType, size: bytes.byteLength, digest, blobName };
    await insertWithinQuota(platformId, { ...row, ...wrapByRing(key, ref, ring), expiresAt: uploadExpiry });
    await blobs.put(blobName, sealBlob(bytes, key, ref));
    return markStored(platformId, fileId, digest);
  }

  /** The insert locks the platform's usage, so that of concurrent uploads each sees the ones before it. */
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

  /** Of two equal concurrent uploads the first is kept; the other one expires at once and is swept. */
  async function markStored(platformId: string, fileId: string, digest: Buffer): Promise<Kept> {
    const isUnfinished = and(eq(files.id, fileId), isNull(files.storedAt));
    const stored = { storedAt: sql`clock_timestamp()`, expiresAt: unusedExpiry };
    try {
      const kept = await update(platformId, isUnfinished, stored);
      // The upload took longer than an hour, and its row was swept.
      if (!kept) throw new Failure("REQUEST_TIMEOUT");
      return kept;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const existing = await keepExisting(platformId, digest);
    // A submission used the existing file just now, or it was swept.
    if (!existing) return markStored(platformId, fileId, digest);
    await update(platformId, isUnfinished, { expiresAt: sql`clock_timestamp()` });
    return existing;
  }

  function keepExisting(platformId: string, digest: Buffer): Promise<Kept | null> {
    const isUnused = and(eq(files.digest, digest), isNotNull(files.storedAt), isNull(files.userId));
    return update(platformId, isUnused, { expiresAt: unusedExpiry });
  }

  function update(
    platformId: string,
    condition: SQL | undefined,
    values: { storedAt?: SQL; expiresAt: SQL },
  ) {
    return database.asPlatform<Kept | null>(platformId, async (tx) => {
      const updated = tx
        .update(files)
        .set(values)
        .where(and(eq(files.platformId, platformId), isNotNull(files.dataKey), condition))
        .returning({ fileId: files.id, expiresAt: sql<Date>`${files.expiresAt}`.mapWith(files.expiresAt) });
      return withCommit([updated], ([rows]) => rows[0] ?? null);
    });
  }
}
