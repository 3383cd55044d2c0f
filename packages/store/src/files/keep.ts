import { type Blobs, Failure, type Files, type NewFile } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { isUniqueViolation } from "../failures.ts";
import { fingerprint } from "../fingerprint.ts";
import { mintDataKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { withCommit } from "../transaction.ts";
import { sealBlob, wrapByRing } from "./file-key.ts";
import { files } from "./schema.ts";

/** What a file has to be used within, once it is there, and to be there within, once it was begun. */
const unusedFor = sql`clock_timestamp() + interval '24 hours'`;
const uploadedWithin = sql`clock_timestamp() + interval '1 hour'`;

interface Kept {
  fileId: string;
  expiresAt: Date;
}

/** Keeping a file: its row, its blob, and then that it is there. */
export function keeping(database: Database, keys: Keys, blobs: Blobs): Pick<Files, "keep"> {
  return {
    async keep(platformId, file) {
      const digest = fingerprint([file.purpose, file.digest.toString("hex")], keys.fingerprints);
      return (await keepAgain(platformId, digest)) ?? keepNew(platformId, file, digest);
    },
  };

  async function keepNew(platformId: string, file: NewFile, digest: Buffer): Promise<Kept> {
    const { fileId, blobName, purpose, contentType, bytes } = file;
    const home = { platformId, fileId };
    const key = mintDataKey();
    const row = { id: fileId, platformId, purpose, contentType, digest, blobName };
    await database.asPlatform<void>(platformId, async (tx) => {
      const begun = { ...row, ...wrapByRing(key, home, keys), expiresAt: uploadedWithin };
      return withCommit([tx.insert(files).values(begun)], () => {});
    });
    await blobs.put(blobName, sealBlob(bytes, key, home));
    return stored(platformId, fileId, digest);
  }

  /** Of two of the same at one moment the first is kept; the other is given up, to be swept. */
  async function stored(platformId: string, fileId: string, digest: Buffer): Promise<Kept> {
    const isIt = and(eq(files.id, fileId), isNull(files.storedAt));
    const mark = { storedAt: sql`clock_timestamp()`, expiresAt: unusedFor };
    try {
      const kept = await update(platformId, isIt, mark);
      // Swept, after an hour.
      if (!kept) throw new Failure("REQUEST_TIMEOUT");
      return kept;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const other = await keepAgain(platformId, digest);
    // The other was used or swept just now.
    if (!other) return stored(platformId, fileId, digest);
    await update(platformId, isIt, { expiresAt: sql`clock_timestamp()` });
    return other;
  }

  function keepAgain(platformId: string, digest: Buffer): Promise<Kept | null> {
    const isUnused = and(eq(files.digest, digest), isNotNull(files.storedAt), isNull(files.userId));
    return update(platformId, isUnused, { expiresAt: unusedFor });
  }

  function update(platformId: string, which: SQL | undefined, values: { storedAt?: SQL; expiresAt: SQL }) {
    return database.asPlatform<Kept | null>(platformId, async (tx) => {
      const updated = tx
        .update(files)
        .set(values)
        .where(and(eq(files.platformId, platformId), isNotNull(files.dataKey), which))
        .returning({ fileId: files.id, expiresAt: sql<Date>`${files.expiresAt}`.mapWith(files.expiresAt) });
      return withCommit([updated], ([rows]) => rows[0] ?? null);
    });
  }
}
