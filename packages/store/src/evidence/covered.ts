import type { Evidence, KycSubmission } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptSubmission } from "../kyc/encrypted-submission.ts";
import { findPlatform } from "../kyc/find-platform.ts";
import { kycRecords, users } from "../schema.ts";
import { pipelineCommit } from "../transaction.ts";

interface Stored {
  userId: string;
  encrypted: Buffer | null;
  fingerprint: Buffer | null;
  dataKey: Buffer | null;
  keyVersion: number | null;
}

/** What the evidence hash covers besides the files; see the port for the contract. */
export async function readCovered(
  database: Database,
  ring: KeyRing,
  kycRecordId: string,
): ReturnType<Evidence["covered"]> {
  const platformId = await findPlatform(database, kycRecordId);
  if (platformId === undefined) return null;
  const stored = await database.asPlatform<Stored | null>(platformId, async (tx) => {
    const found = tx
      .select({
        userId: kycRecords.userId,
        encrypted: kycRecords.encrypted,
        fingerprint: kycRecords.fingerprint,
        dataKey: users.dataKey,
        keyVersion: users.keyVersion,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!stored) return null;
  const submission = submissionOf(stored, { platformId, kycRecordId }, ring);
  return { platformId, fingerprint: stored.fingerprint?.toString("hex") ?? null, submission };
}

/** Null after an erasure. */
function submissionOf(
  { userId, encrypted, dataKey, keyVersion }: Stored,
  record: { platformId: string; kycRecordId: string },
  ring: KeyRing,
): KycSubmission | null {
  if (encrypted === null || dataKey === null || keyVersion === null) return null;
  return decryptSubmission(encrypted, { ...record, userId, wrappedKey: { dataKey, keyVersion } }, ring);
}
