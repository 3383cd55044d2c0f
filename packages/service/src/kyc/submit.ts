import {
  kycResult,
  kycRules,
  kycSubmission,
  type Policies,
  type RecordRequest,
  refusalOf,
  submissionErrors,
  toKycResult,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { type Call, holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { runAttempt } from "./attempt.ts";
import { exampleSubmission } from "./example.ts";
import { fileViolations, recordRequest } from "./record-request.ts";

/** The names of the operation over tRPC and REST. Submissions have a separate rate limit. */
export const submission = { procedure: "kyc.submit", path: "/users/kyc" } as const;

/** Submits a user's identity verification (interface, section 4.2). */
export const submitKyc = (policies: Policies) =>
  defineOperation({
    ...forPlatforms,
    id: submission.procedure,
    kind: "write",
    rest: {
      method: "post",
      path: submission.path,
      tag: "KYC",
      accepted: { code: "KYC_ACCEPTED", location: `${submission.path}/{kycRecordId}` },
    },
    summary: "Submit a user's KYC",
    description:
      "Submits a user's identity verification to the card provider. The service stores the submission before it " +
      "sends it. If the outcome is unknown, the call succeeds with the code KYC_ACCEPTED and the status PENDING. " +
      "A body equal to that of any of the user's records returns that record's current result. After a refusal or a " +
      "rejection, a new Idempotency-Key submits the same body again.",
    documented: true,
    idempotent: true,
    scopes: ["kyc:write"],
    input: kycSubmission,
    rules: kycRules(policies),
    output: kycResult,
    example: exampleSubmission,
    errors: [...submissionErrors],
    // The repository audits a submission in its transaction. A failed submission has no transaction, so it is audited
    // here.
    audit: submissionErrors.filter((code) => code !== "KYC_REFUSED"),

    furtherViolations: (ports, call, submission) =>
      fileViolations(ports, call, submission, policies.capabilities.files),

    async run(ports, call, submission) {
      const request = await recordRequest(ports, call, submission, policies);
      const { record, replayed } = await createAndSend(ports, call, request);
      if (record.resolution === "refused") throw refusalOf(record, replayed);
      return { data: toKycResult(record), replayed };
    },
  });

/** Without a slot for the provider, the record is stored, and a worker sends it (gap G14). */
async function createAndSend(ports: Ports, call: Call, request: RecordRequest) {
  const { platformId, slot } = call;
  const { kycRecords, providerSlots } = ports;
  const providerSlot = providerSlots.tryTake(holderOf(call));
  try {
    const maxUnsent = providerSlot ? undefined : providerSlots.maxUnsent(platformId);
    const result = await kycRecords.createOrReplay(platformId, { ...request, maxUnsent });
    if (result.kind !== "new") return { record: result.record, replayed: result.kind === "replay" };
    slot?.release();
    const { record } = await runAttempt(ports, platformId, result.attempt, "submission");
    return { record, replayed: false };
  } finally {
    providerSlot?.release();
  }
}
