import { Failure, type Files, type FileUse, type Violation } from "@cardbridge/domain";
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { files } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { unwrapDataKey, type WrappedKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { unwrapByRing, wrapByUser } from "./file-key.ts";

/** The user whose submission uses the files. */
interface FileUser {
  platformId: string;
  userId: string;
  wrappedKey: WrappedKey;
}

/**
 * Assigns files to a user within the transaction of a submission. It rewraps the files' keys under the user's data
 * key, so that erasing the user destroys the files. Returns statements to send with the commit.
 * @throws Failure INVALID_INPUT where a file is unknown to the platform, has expired, belongs to another user or has
 *   another purpose; SERVICE_UNAVAILABLE where the keys cannot decrypt it.
 */
export async function useFiles(
  tx: Tx,
  { platformId, userId, wrappedKey }: FileUser,
  uses: readonly FileUse[],
  ring: KeyRing,
): Promise<PromiseLike<unknown>[]> {
  if (uses.length === 0) return [];
  const rows = byId(await filesToUse(tx, platformId, uses).orderBy(asc(files.id)).for("update"));
  const violations = uses.flatMap((use) => violationsOf(use, rows.get(use.fileId), userId));
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });

  const userKey = unwrapDataKey(wrappedKey, { platformId, userId }, ring);
  return [...rows].flatMap(([fileId, { dataKey, keyVersion }]) => {
    // The file already belongs to this user.
    if (keyVersion === null || dataKey === null) return [];
    const ref = { platformId, fileId };
    const wrapped = wrapByUser(unwrapByRing(dataKey, keyVersion, ref, ring), ref, userKey);
    return [
      tx
        .update(files)
        .set({ ...wrapped, userId, expiresAt: null })
        .where(and(eq(files.platformId, platformId), eq(files.id, fileId))),
    ];
  });
}

/** Finds the violations of file uses without using or locking the files; see the port. */
export function checkFiles(database: Database): Files["check"] {
  return (platformId, uses, userId) =>
    database.asPlatform<Violation[]>(platformId, async (tx) =>
      pipelineCommit([violationsOfUses(tx, platformId, uses, userId)], ([violations]) => violations),
    );
}

/** Finds the violations of file uses within a transaction, with at most one statement. */
export async function violationsOfUses(
  tx: Tx,
  platformId: string,
  uses: readonly FileUse[],
  userId: string | null | undefined,
): Promise<Violation[]> {
  if (uses.length === 0) return [];
  const rows = byId(await filesToUse(tx, platformId, uses));
  return uses.flatMap((use) => violationsOf(use, rows.get(use.fileId), userId));
}

/** Selects those of the platform's files in `uses` that are stored and not expired. */
function filesToUse(tx: Tx, platformId: string, uses: readonly FileUse[]) {
  const { purpose, userId, contentType, size, dataKey, keyVersion } = files;
  const ids = [...new Set(uses.map(({ fileId }) => fileId))];
  const isUnexpired = or(isNull(files.expiresAt), gt(files.expiresAt, sql`clock_timestamp()`));
  return tx
    .select({ fileId: files.id, purpose, userId, contentType, size, dataKey, keyVersion })
    .from(files)
    .where(
      and(
        eq(files.platformId, platformId),
        inArray(files.id, ids),
        isNotNull(files.storedAt),
        isNotNull(files.dataKey),
        isUnexpired,
      ),
    );
}

const byId = <T extends { fileId: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.fileId, row]));

type FileRow = Pick<typeof files.$inferSelect, "purpose" | "userId" | "contentType" | "size">;

function violationsOf(
  { purpose, path, accepts }: FileUse,
  file: FileRow | undefined,
  userId: string | null | undefined,
): Violation[] {
  if (!file) {
    const message = "The platform has no such file, or it has expired: upload it again.";
    return [{ path, rule: "file-unknown", message }];
  }
  if (file.purpose !== purpose) {
    return [{ path, rule: "file-purpose", message: `Upload this file with the purpose ${purpose}.` }];
  }
  if (userId !== undefined && file.userId !== null && file.userId !== userId) {
    return [{ path, rule: "file-of-another-user", message: "Another user's submission uses this file." }];
  }
  if (accepts && !accepts.types.includes(file.contentType)) {
    const message = `The card provider accepts these file types: ${accepts.types.join(", ")}.`;
    return [{ path, rule: "provider-file", message }];
  }
  if (accepts && file.size > accepts.maxBytes) {
    const message = `The card provider accepts files of at most ${accepts.maxBytes} bytes.`;
    return [{ path, rule: "provider-file", message }];
  }
  return [];
}
