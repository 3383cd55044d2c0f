import {
  Failure,
  type FileLimits,
  type FileUse,
  filesOf,
  fileUrl,
  internalPlatformId,
  type KycSubmission,
  memberId,
  type NamedFile,
  type Policies,
  type RawInput,
  type RecordRequest,
  type Violation,
} from "@cardbridge/domain";
import { type Call, type OperationCall, originOf } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";

/**
 * Creates the record request of a valid submission.
 * @throws Failure INVALID_INPUT if the submission has a URL of this service that is not the URL of an upload.
 */
export async function recordRequest(
  ports: Ports,
  call: OperationCall,
  submission: KycSubmission,
  { resubmission, capabilities }: Policies,
): Promise<RecordRequest> {
  const { uses, unknown } = ownFiles(filesOf(submission), ports.fileUrls, capabilities.files);
  if (unknown.length > 0) {
    throw new Failure("INVALID_INPUT", {
      violations: await fileViolations(ports, call, submission, capabilities.files),
    });
  }
  return {
    submission,
    files: uses,
    // A validation looks for the keys of submissions.
    by: originOf(call, "kyc.submit"),
    externalUserId: ports.ids.externalUserId(),
    kycRecordId: ports.ids.kycRecordId(),
    decide: resubmission.decide,
    idempotencyKey: call.idempotencyKey,
  };
}

/**
 * Returns the violations of the uploads in a submission, whose other fields may be invalid (gap G3). A submission
 * checks the files again in its transaction.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function fileViolations(
  { users, files, fileUrls }: Pick<Ports, "users" | "files" | "fileUrls">,
  { platformId }: Pick<Call, "platformId">,
  submission: RawInput,
  accepts: FileLimits | undefined,
): Promise<Violation[]> {
  // A call without a platform has no files, and already has another violation.
  if (platformId === internalPlatformId) return [];
  const { uses, unknown } = ownFiles(filesOf(submission), fileUrls, accepts);
  if (uses.length === 0) return unknown;
  const { data: name } = memberId.safeParse(submission.memberId);
  const user = name === undefined ? undefined : await users.find(platformId, { memberId: name });
  // Without a valid memberId, the check ignores the owners of the files.
  const userId = name === undefined ? undefined : (user?.externalUserId ?? null);
  return [...unknown, ...(await files.check(platformId, uses, userId))];
}

/** The uploads among files, with the provider's limits, and the violations of other URLs of this service. */
export function ownFiles(
  files: readonly NamedFile[],
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf">,
  accepts: FileLimits | undefined,
): { uses: FileUse[]; unknown: Violation[] } {
  const named = files
    .filter(({ url }) => fileUrl.safeParse(url).success)
    .map(({ url, ...file }) => ({ ...file, fileId: fileUrls.fileIdOf(url) }));
  return {
    uses: named.flatMap(({ fileId, ...file }) =>
      fileId ? [{ ...file, fileId, ...(accepts ? { accepts } : {}) }] : [],
    ),
    unknown: named.filter(({ fileId }) => fileId === null).map(unknownFile),
  };
}

function unknownFile({ path }: { path: (string | number)[] }): Violation {
  return { path, rule: "file-unknown", message: "Send the url of an upload unchanged." };
}
