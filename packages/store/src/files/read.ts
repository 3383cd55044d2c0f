import type { Blobs, Files } from "@cardbridge/domain";
import { and, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { unavailable } from "../failures.ts";
import { users } from "../schema.ts";
import { unwrapDataKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { withCommit } from "../transaction.ts";
import { type FileHome, openBlob, unwrapByRing, unwrapByUser } from "./file-key.ts";
import { files } from "./schema.ts";

interface Found {
  contentType: (typeof files.$inferSelect)["contentType"];
  blobName: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
  userId: string | null;
  userKey: Buffer | null;
  userKeyVersion: number | null;
}

/** Reading a file: its row, its key, its blob. */
export function reading(database: Database, keys: Keys, blobs: Blobs): Pick<Files, "read" | "platformOf"> {
  return {
    async read(platformId, fileId) {
      const home = { platformId, fileId };
      const file = await find(home);
      if (!file) return null;
      const key = keyOfFile(file, home, keys);
      const sealed = await blobs.get(file.blobName);
      // Lost, and not vanished: that is our trouble.
      if (!sealed) throw unavailable(new Error("A blob is missing."));
      return { contentType: file.contentType, bytes: openBlob(Buffer.from(sealed), key, home) };
    },

    platformOf: (fileId) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string | null }>(
          sql`select platform_of_file(${fileId}) as platform_id`,
        );
        return rows[0]?.platform_id ?? null;
      }),
  };

  function find({ platformId, fileId }: FileHome): Promise<Found | null> {
    const { contentType, blobName, dataKey, keyVersion, userId } = files;
    const isIt = and(eq(files.platformId, platformId), eq(files.id, fileId));
    const isThere = and(isNotNull(files.storedAt), isNotNull(files.dataKey));
    const lives = or(isNull(files.expiresAt), gt(files.expiresAt, sql`clock_timestamp()`));
    return database.asPlatform<Found | null>(platformId, async (tx) => {
      const found = tx
        .select({
          ...{ contentType, blobName, dataKey, keyVersion, userId },
          ...{ userKey: users.dataKey, userKeyVersion: users.keyVersion },
        })
        .from(files)
        .leftJoin(users, and(eq(users.platformId, files.platformId), eq(users.id, files.userId)))
        .where(and(isIt, isThere, lives));
      return withCommit([found], ([rows]) => rows[0] ?? null);
    });
  }
}

/** @throws Failure SERVICE_UNAVAILABLE where the configured keys do not open it. */
function keyOfFile({ dataKey, keyVersion, ...file }: Found, home: FileHome, keys: Keys): Buffer {
  if (dataKey && keyVersion !== null) return unwrapByRing(dataKey, keyVersion, home, keys);
  const { userId, userKey, userKeyVersion } = file;
  if (!dataKey || !userId || !userKey || userKeyVersion === null)
    throw unavailable(new Error("A key is missing."));
  const wrapped = { dataKey: userKey, keyVersion: userKeyVersion };
  const owner = { platformId: home.platformId, userId };
  return unwrapByUser(dataKey, home, unwrapDataKey(wrapped, owner, keys.ring));
}
