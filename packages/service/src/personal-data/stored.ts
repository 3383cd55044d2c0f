import type { FilePurpose, FileType, KycSubmission } from "@cardbridge/domain";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { files, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { decryptSubmission } from "../kyc/encrypted-submission.ts";
import type { Ports } from "../operation/ports.ts";

/** A file that a user's submission uses. */
export interface StoredFile {
  fileId: string;
  purpose: FilePurpose;
  contentType: FileType;
  createdAt: string;
}

/** The files that a user's submissions use, oldest first. Their bytes are read one by one, with `Files.read`. */
export function listUploads(
  { database }: Pick<Ports, "database">,
  platformId: string,
  externalUserId: string,
): Promise<StoredFile[]> {
  return database.asPlatform<StoredFile[]>(platformId, async (tx) => {
    const isOfUser = and(eq(files.platformId, platformId), eq(files.userId, externalUserId));
    const found = tx
      .select({
        fileId: files.id,
        purpose: files.purpose,
        contentType: files.contentType,
        createdAt: shownMoment(sql`${files.createdAt}`),
      })
      .from(files)
      // A file without a key is destroyed.
      .where(and(isOfUser, isNotNull(files.storedAt), isNotNull(files.dataKey)))
      .orderBy(asc(files.createdAt), asc(files.id));
    return pipelineCommit([found], ([rows]) => rows);
  });
}

/**
 * What was submitted; null after an erasure, or if the platform has no such record.
 * @throws Failure SERVICE_UNAVAILABLE if it cannot be decrypted.
 */
export async function readSubmission(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  platformId: string,
  kycRecordId: string,
): Promise<KycSubmission | null> {
  const { ring } = await personalDataKeys();
  const row = await database.asPlatform(platformId, async (tx) => {
    const found = tx
      .select({
        userId: kycRecords.userId,
        encrypted: kycRecords.encrypted,
        dataKey: users.dataKey,
        keyVersion: users.keyVersion,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!row?.encrypted || !row.dataKey || row.keyVersion === null) return null;
  const { userId, encrypted, dataKey, keyVersion } = row;
  const record = { platformId, kycRecordId, userId, wrappedKey: { dataKey, keyVersion } };
  return decryptSubmission(encrypted, record, ring);
}
