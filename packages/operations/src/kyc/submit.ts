import {
  Failure,
  type FileUrls,
  type FileUse,
  filesOf,
  type KycSubmission,
  kycResult,
  kycRules,
  kycSubmission,
  type Policies,
  toKycResult,
  type Violation,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { runAttempt } from "./attempt.ts";
import { exampleSubmission } from "./example.ts";

/** Submits a user's identity verification (interface, section 4.2). */
export const submitKyc = (policies: Policies) =>
  defineOperation({
    ...forPlatforms,
    id: "kyc.submit",
    kind: "mutation",
    summary: "Submit a user's KYC",
    description:
      "Takes a user's identity verification and hands it to the card provider. The submission is recorded before " +
      "it is sent: when the provider's answer is not known, the call still succeeds with the code KYC_ACCEPTED and " +
      "the status PENDING. Sending the same body again repeats the record's current result, and so does the same Idempotency-Key.",
    documented: true,
    idempotent: true,
    scopes: ["kyc:write"],
    input: kycSubmission,
    rules: kycRules(policies),
    output: kycResult,
    example: exampleSubmission,
    errors: [
      "KYC_ALREADY_SUBMITTED",
      "USER_IDENTITY_CONFLICT",
      "USER_ERASURE_PENDING",
      "KYC_REFUSED",
      "IDEMPOTENCY_KEY_REUSED",
    ],
    // The claim audits itself in its own transaction; a refused claim has none.
    audit: [
      "KYC_ALREADY_SUBMITTED",
      "USER_IDENTITY_CONFLICT",
      "USER_ERASURE_PENDING",
      "IDEMPOTENCY_KEY_REUSED",
    ],

    async run(ports, call, submission) {
      const claim = await ports.kycRecords.claim(call.platformId, {
        submission,
        files: ownFiles(submission, ports.fileUrls),
        by: originOf(call, "kyc.submit"),
        externalUserId: ports.ids.externalUserId(),
        kycRecordId: ports.ids.kycRecordId(),
        decide: policies.resubmission.decide,
        idempotencyKey: call.idempotencyKey,
      });
      const replayed = claim.kind === "replay";
      const { record } = replayed ? claim : await runAttempt(ports, call.platformId, claim.attempt);
      if (record.settlement === "refused") {
        throw new Failure("KYC_REFUSED", { kycRecordId: record.kycRecordId, replayed });
      }
      return { data: toKycResult(record), replayed };
    },
  });

/** The uploaded files that a submission names; the claim decides whether the caller may use them. */
function ownFiles(submission: KycSubmission, fileUrls: Pick<FileUrls, "fileIdOf">): FileUse[] {
  const named = filesOf(submission).map((file) => ({ ...file, fileId: fileUrls.fileIdOf(file.url) }));
  const wrong = named.filter(({ fileId }) => fileId === null);
  if (wrong.length > 0) throw new Failure("INVALID_INPUT", { violations: wrong.map(noFile) });
  return named.flatMap(({ fileId, purpose, path }) => (fileId ? [{ fileId, purpose, path }] : []));
}

function noFile({ path }: { path: (string | number)[] }): Violation {
  return { path, rule: "file-unknown", message: "Send the url of an upload, exactly as it was answered." };
}
