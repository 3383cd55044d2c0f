import { type EvidenceFile, Failure, filesOf, type KycSubmission } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptSubmission } from "../encryption/submission.ts";
import type { Ports } from "../operation/ports.ts";

interface RecordReference {
  platformId: string;
  kycRecordId: string;
}

// A type and not an interface, because a row of the driver has an index signature.
export type StoredSubmission = {
  fingerprint: Buffer | null;
  encrypted: Buffer | null;
  userId: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
};

/** What the evidence hash covers besides the files. Both values are null after an erasure. */
export interface CoveredEvidence {
  /** The keyed hash of the fields, in hexadecimal. */
  fingerprint: string | null;
  submission: KycSubmission | null;
}

/** Decrypts a submission. */
export function readSubmission(
  { fingerprint, encrypted, userId, dataKey, keyVersion }: StoredSubmission,
  record: RecordReference,
  ring: KeyRing,
): CoveredEvidence {
  if (!fingerprint || !encrypted || !dataKey || keyVersion === null) {
    return { fingerprint: null, submission: null };
  }
  const owner = { ...record, userId, wrappedKey: { dataKey, keyVersion } };
  return {
    fingerprint: fingerprint.toString("hex"),
    submission: decryptSubmission(encrypted, owner, ring),
  };
}

/**
 * Reads what the evidence hash covers besides the files, without an audit entry.
 * @throws Failure KYC_RECORD_NOT_FOUND.
 */
export async function coveredEvidence(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  record: RecordReference,
): Promise<CoveredEvidence> {
  const { platformId, kycRecordId } = record;
  const { ring } = await personalDataKeys();
  const row = await database.asPlatform<StoredSubmission | null>(platformId, async (tx) => {
    const found = tx
      .select({
        fingerprint: kycRecords.fingerprint,
        encrypted: kycRecords.encrypted,
        userId: users.id,
        dataKey: users.dataKey,
        keyVersion: users.keyVersion,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!row) throw new Failure("KYC_RECORD_NOT_FOUND");
  return readSubmission(row, record, ring);
}

/**
 * The files of a submission with the hashes of their stored bytes, in the order of the fields. A file at another host is
 * neither fetched nor hashed.
 */
export async function evidenceFiles(
  { files, fileUrls }: Pick<Ports, "files" | "fileUrls">,
  platformId: string,
  submission: KycSubmission,
): Promise<EvidenceFile[]> {
  const listed: EvidenceFile[] = [];
  // One file at a time is in memory.
  for (const { url, path } of filesOf(submission)) {
    const [name, index] = path;
    const documentType =
      typeof index === "number" ? (submission.supportingDocuments?.[index]?.documentType ?? null) : null;
    const fileId = fileUrls.fileIdOf(url);
    const stored = fileId ? await files.read(platformId, fileId) : null;
    listed.push({
      field: typeof index === "number" ? `${name}/${index}` : String(name),
      documentType,
      fileId: fileId ?? null,
      host: fileId === undefined ? new URL(url).host : null,
      contentType: stored?.contentType ?? null,
      sha256: stored ? await sha256Of(stored.bytes) : null,
    });
  }
  return listed;
}

interface Hashed {
  kycRecordId: string;
  /** The keyed hash of the fields, in hexadecimal. */
  fingerprint: string;
  files: readonly EvidenceFile[];
}

/** The hash of a record's evidence: SHA-256 over a line for the record, one for the fields and one for each file. */
export function evidenceHashOf({ kycRecordId, fingerprint, files }: Hashed): Promise<string> {
  const lines = [
    kycRecordId,
    fingerprint,
    ...files.map(({ field, fileId, host, sha256 }) => [field, fileId ?? host, sha256 ?? "-"].join(" ")),
  ];
  return sha256Of(new TextEncoder().encode(lines.join("\n")));
}

/**
 * The current hash of a record's evidence.
 * @throws Failure KYC_RECORD_NOT_FOUND, KYC_RECORD_CONFLICT after an erasure.
 */
export async function currentEvidenceHash(
  ports: Pick<Ports, "database" | "personalDataKeys" | "files" | "fileUrls">,
  record: RecordReference,
): Promise<string> {
  const { fingerprint, submission } = await coveredEvidence(ports, record);
  if (submission === null || fingerprint === null) {
    const message = "The user is erased, so the record has no evidence.";
    throw new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "erased", message }] });
  }
  const files = await evidenceFiles(ports, record.platformId, submission);
  return evidenceHashOf({ kycRecordId: record.kycRecordId, fingerprint, files });
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Buffer.from(digest).toString("hex");
}
