import { type EvidenceFile, Failure, filesOf, type KycSubmission } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

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

interface Covered {
  kycRecordId: string;
  /** The keyed hash of the fields, in hexadecimal. */
  fingerprint: string;
  files: readonly EvidenceFile[];
}

/** The hash of a record's evidence: SHA-256 over a line for the record, one for the fields and one for each file. */
export function evidenceHashOf({ kycRecordId, fingerprint, files }: Covered): Promise<string> {
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
  ports: Pick<Ports, "evidence" | "files" | "fileUrls">,
  kycRecordId: string,
): Promise<string> {
  const covered = await ports.evidence.covered(kycRecordId);
  if (!covered) throw new Failure("KYC_RECORD_NOT_FOUND");
  const { platformId, fingerprint, submission } = covered;
  if (submission === null || fingerprint === null) {
    const message = "The user is erased, so the record has no evidence.";
    throw new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "erased", message }] });
  }
  const files = await evidenceFiles(ports, platformId, submission);
  return evidenceHashOf({ kycRecordId, fingerprint, files });
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Buffer.from(digest).toString("hex");
}
