import { Failure, kycResult, kycRules, kycSubmission, type Policies, toKycResult } from "@cardbridge/domain";
import { defineOperation } from "./operation.ts";
import { settleKyc } from "./settle-kyc.ts";
import { exampleSubmission } from "./submit-kyc.example.ts";

/** Submits a user's identity verification (interface, section 4.2). */
export const submitKyc = (policies: Policies) =>
  defineOperation({
    id: "kyc.submit",
    kind: "mutation",
    summary: "Submit a user's KYC",
    description:
      "Takes a user's identity verification and hands it to the card provider. The submission is recorded before " +
      "it is sent: when the provider's answer is not known, the call still succeeds with the code KYC_ACCEPTED and " +
      "the status PENDING. Sending the same body again repeats the record's current result, and so does the same Idempotency-Key.",
    documented: true,
    scope: "kyc:write",
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
    // A claim notes itself, in its own transaction; one that is refused has none.
    noted: {
      act: "kyc.submit",
      outcomes: [
        "KYC_ALREADY_SUBMITTED",
        "USER_IDENTITY_CONFLICT",
        "USER_ERASURE_PENDING",
        "IDEMPOTENCY_KEY_REUSED",
      ],
    },

    async run(ports, call, submission) {
      const claim = await ports.kycRecords.claim(call.platformId, {
        submission,
        by: { actor: call.actor, requestId: call.requestId, address: call.address },
        externalUserId: ports.ids.externalUserId(),
        kycRecordId: ports.ids.kycRecordId(),
        decide: policies.resubmission.decide,
        idempotency:
          call.idempotencyKey === undefined
            ? undefined
            : { operation: "kyc.submit", key: call.idempotencyKey },
      });
      const replayed = claim.kind === "replay";
      const { record } = replayed ? claim : await settleKyc(ports, call.platformId, claim.attempt);
      if (record.settlement === "refused") {
        throw new Failure("KYC_REFUSED", { kycRecordId: record.kycRecordId, replayed });
      }
      return { data: toKycResult(record), replayed };
    },
  });
