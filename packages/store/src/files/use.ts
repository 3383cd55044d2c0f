import { Failure, type FileUse, type Violation } from "@cardbridge/domain";
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { unwrapDataKey, type WrappedKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import type { Tx } from "../statements.ts";
import { unwrapByRing, wrapByUser } from "./file-key.ts";
import { files } from "./schema.ts";

/** The user whose submission uses files. */
interface User {
  platformId: string;
  userId: string;
  wrappedKey: WrappedKey;
}

/**
 * Makes files a user's own, within the transaction of their submission: rewrapped under the user's data key, they
 * live as long as the user's data. Returns the statements, to travel with the commit.
 * @throws Failure INVALID_INPUT where one is not the platform's, has vanished, is another user's, or of another
 *   purpose; SERVICE_UNAVAILABLE where the keys do not open it.
 */
export async function useFiles(
  tx: Tx,
  { platformId, userId, wrappedKey }: User,
  uses: readonly FileUse[],
  keys: Keys,
): Promise<PromiseLike<unknown>[]> {
  if (uses.length === 0) return [];
  const found = await lock(tx, platformId, [...new Set(uses.map(({ fileId }) => fileId))]);
  const violations = uses.flatMap((use) => faultOf(use, found.get(use.fileId), userId));
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });

  const userKey = unwrapDataKey(wrappedKey, { platformId, userId }, keys.ring);
  return [...found].flatMap(([fileId, { dataKey, keyVersion }]) => {
    // It is this user's already.
    if (keyVersion === null || dataKey === null) return [];
    const home = { platformId, fileId };
    const wrapped = wrapByUser(unwrapByRing(dataKey, keyVersion, home, keys), home, userKey);
    return [
      tx
        .update(files)
        .set({ ...wrapped, userId, expiresAt: null })
        .where(and(eq(files.platformId, platformId), eq(files.id, fileId))),
    ];
  });
}

async function lock(tx: Tx, platformId: string, ids: string[]) {
  const { purpose, userId, dataKey, keyVersion } = files;
  const lives = or(isNull(files.expiresAt), gt(files.expiresAt, sql`clock_timestamp()`));
  const rows = await tx
    .select({ fileId: files.id, purpose, userId, dataKey, keyVersion })
    .from(files)
    .where(
      and(
        eq(files.platformId, platformId),
        inArray(files.id, ids),
        isNotNull(files.storedAt),
        isNotNull(files.dataKey),
        lives,
      ),
    )
    .orderBy(asc(files.id))
    .for("update");
  return new Map(rows.map((row) => [row.fileId, row]));
}

type Row = Pick<typeof files.$inferSelect, "purpose" | "userId">;

function faultOf({ purpose, path }: FileUse, file: Row | undefined, userId: string): Violation[] {
  if (!file) {
    const message = "There is no such file of this platform, or it has vanished: upload it again.";
    return [{ path, rule: "file-unknown", message }];
  }
  if (file.purpose !== purpose) {
    return [{ path, rule: "file-purpose", message: `Upload this file with the purpose ${purpose}.` }];
  }
  if (file.userId !== null && file.userId !== userId) {
    return [{ path, rule: "file-of-another-user", message: "Another user's submission uses this file." }];
  }
  return [];
}
