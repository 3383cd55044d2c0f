import {
  Failure,
  type FileLimits,
  filesOf,
  firstCheck,
  internalPlatformId,
  type KycSubmission,
  memberId,
  type Policies,
  type RawInput,
  type RecordRequest,
  type Violation,
} from "@cardbridge/domain";
import { ownFiles } from "../files/own-files.ts";
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
  { resubmission, capabilities, expiryNoticeDays, now }: Policies,
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
    renews: capabilities.renews,
    expiry: firstCheck(submission, now(), expiryNoticeDays),
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
