import { type Blobs, Failure, type Files, fileReference, storedFile } from "@cardbridge/domain";
import { and, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { unavailable } from "../database/errors.ts";
import { files, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { unwrapDataKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { defineOperation } from "../operation/define.ts";
import { platformOf } from "../operation/platform-of.ts";
import type { Ports } from "../operation/ports.ts";
import { decryptBlob, type FileRef, unwrapByRing, unwrapByUser } from "./file-key.ts";

/** Reads a file with a key of its platform or with a signed URL (gap G27). */
export const readFile = defineOperation({
  id: "files.read",
  kind: "read",
  summary: "Read a file",
  description: "Reads a file's bytes, with a key of its platform or with a URL signed for the provider.",
  documented: false,
  actors: ["platform", "internal", "provider"],
  scopes: ["files:write", "kyc:read"],
  platform: true,
  idempotent: false,
  binary: true,
  input: fileReference,
  rules: [],
  output: storedFile,
  example: {
    input: { fileId: "file_01jexample0000000000000000" },
    output: { contentType: "image/jpeg", bytes: new Uint8Array() },
  },
  errors: ["FILE_NOT_FOUND"],
  audit: ["done"],

  async run({ database, files }, call, { fileId }) {
    // A signed URL identifies the file, but not its platform.
    const platformId =
      call.kind === "provider" ? await platformOf(database, "file", fileId) : call.platformId;
    const file = platformId === null ? null : await files.read(platformId, fileId);
    if (!file || platformId === null) throw new Failure("FILE_NOT_FOUND");
    return { data: file, subject: fileId, platformId };
  },
});

/** Reads or locates a file by its row, which has its key and the name of its blob; see the port for the contract. */
export function readFiles(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  blobs: Blobs,
): Pick<Files, "read" | "locate"> {
  return {
    async read(platformId, fileId) {
      const found = await find({ platformId, fileId });
      if (!found) return null;
      const { contentType, blobName, key, ...ref } = found;
      return { contentType, bytes: decryptBlob(await blobs.get(blobName), key, ref) };
    },
    async locate(platformId, fileId) {
      const found = await find({ platformId, fileId });
      if (!found) return null;
      const { blobName, ...file } = found;
      return { ...file, address: await blobs.addressOf(blobName) };
    },
  };

  async function find(ref: FileRef) {
    const { ring } = await personalDataKeys();
    const row = await findFile(database, ref);
    if (!row) return null;
    const { contentType, blobName } = row;
    return { ...ref, contentType, blobName, key: keyOfFile(row, ref, ring) };
  }
}

interface FileRow {
  contentType: (typeof files.$inferSelect)["contentType"];
  blobName: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
  userId: string | null;
  userKey: Buffer | null;
  userKeyVersion: number | null;
}

function findFile(database: Database, { platformId, fileId }: FileRef): Promise<FileRow | null> {
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
