import { Failure, type KycSubmission, type Policies, type RecordRequest } from "@cardbridge/domain";
import { type OperationCall, originOf } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { fileViolations, ownFiles } from "./file-violations.ts";

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
  const { uses, unknown } = ownFiles(submission, ports.fileUrls, capabilities.files);
  if (unknown.length > 0) {
    throw new Failure("INVALID_INPUT", {
      violations: await fileViolations(ports, call, submission, capabilities.files),
    });
  }
  return {
    submission,
    files: uses,
    by: originOf(call),
    externalUserId: ports.ids.externalUserId(),
    kycRecordId: ports.ids.kycRecordId(),
    decide: resubmission.decide,
    idempotencyKey: call.idempotencyKey,
  };
}
