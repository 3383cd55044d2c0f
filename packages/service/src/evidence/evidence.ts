import { type AnswerFile, type EvidenceFile, Failure, filesOf, type KycSubmission } from "@cardbridge/domain";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { documentRequests, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { decryptAnswer } from "../encryption/answer.ts";
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

/** What the evidence hash covers besides the bytes of the files. After an erasure, nothing is left of it. */
interface CoveredEvidence {
  /** The keyed hash of the fields, in hexadecimal. */
  fingerprint: string | null;
  submission: KycSubmission | null;
  /** The answers to the provider's requests, in the order of the requests. */
  answers: readonly Answer[];
}

interface Answer {
  documentRequestId: string;
  files: readonly AnswerFile[];
}

/** Decrypts a submission. */
export function readSubmission(
  { fingerprint, encrypted, userId, dataKey, keyVersion }: StoredSubmission,
  record: RecordReference,
  ring: KeyRing,
): Pick<CoveredEvidence, "fingerprint" | "submission"> {
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
  const { row, answered } = await database.asPlatform<StoredEvidence>(platformId, async (tx) => {
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
    const { id, recordId, requestedAt, encrypted } = documentRequests;
    const answers = tx
      .select({ documentRequestId: id, encrypted: sql<Buffer>`${encrypted}` })
      .from(documentRequests)
      .where(
        and(
          eq(documentRequests.platformId, platformId),
          eq(recordId, kycRecordId),
          isNotNull(documentRequests.encrypted),
        ),
      )
      .orderBy(asc(requestedAt), asc(id));
    return pipelineCommit([found, answers], ([[row], answered]) => ({ row, answered }));
  });
  if (!row) throw new Failure("KYC_RECORD_NOT_FOUND");
  const { userId, dataKey, keyVersion } = row;
  const answers = answered.flatMap(({ documentRequestId, encrypted }) => {
    if (!dataKey || keyVersion === null) return [];
    const owner = { platformId, userId, documentRequestId, wrappedKey: { dataKey, keyVersion } };
    return [{ documentRequestId, files: decryptAnswer(encrypted, owner, ring) }];
  });
  return { ...readSubmission(row, record, ring), answers };
}

interface StoredEvidence {
  row: StoredSubmission | undefined;
  answered: { documentRequestId: string; encrypted: Buffer }[];
}

/** The files of a submission in the order of its fields, then those of the answers. */
export function namedFiles({ submission, answers }: Omit<CoveredEvidence, "fingerprint">) {
  if (!submission) return [];
  const submitted = filesOf(submission).map(({ url, path: [name, index] }) => ({
    url,
    field: typeof index === "number" ? `${name}/${index}` : String(name),
    documentType:
      typeof index === "number" ? (submission.supportingDocuments?.[index]?.documentType ?? null) : null,
  }));
  const answered = answers.flatMap(({ documentRequestId, files }) =>
    files.map(({ documentType, fileUrl }, index) => ({
      url: fileUrl,
      field: `requests/${documentRequestId}/${index}`,
      documentType,
    })),
  );
  return [...submitted, ...answered];
}

/** The files of evidence with the hashes of their stored bytes. A file at another host is neither fetched nor hashed. */
export async function evidenceFiles(
  { files, fileUrls }: Pick<Ports, "files" | "fileUrls">,
  platformId: string,
  evidence: Omit<CoveredEvidence, "fingerprint">,
): Promise<EvidenceFile[]> {
  const listed: EvidenceFile[] = [];
  // One file at a time is in memory.
  for (const { url, field, documentType } of namedFiles(evidence)) {
    const fileId = fileUrls.fileIdOf(url);
    const stored = fileId ? await files.read(platformId, fileId) : null;
    listed.push({
      field,
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
  const { fingerprint, ...evidence } = await coveredEvidence(ports, record);
  if (fingerprint === null) {
    const message = "The user is erased, so the record has no evidence.";
    throw new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "erased", message }] });
  }
  const files = await evidenceFiles(ports, record.platformId, evidence);
  return evidenceHashOf({ kycRecordId: record.kycRecordId, fingerprint, files });
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Buffer.from(digest).toString("hex");
}
