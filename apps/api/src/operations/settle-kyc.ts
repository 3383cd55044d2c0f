import {
  type Attempt,
  type FileUrls,
  isReversal,
  type KycAnswer,
  type KycRecord,
  type KycVerdict,
  planRetry,
  unifiedStatus,
  withFileUrls,
} from "@cardbridge/domain";
import type { Ports } from "./ports.ts";

export type SettlePorts = Pick<Ports, "provider" | "kycRecords" | "observer"> & {
  fileUrls: Pick<FileUrls, "signed">;
};

/** What the provider answers when it is sent a submission or asked about one. */
export type Found = KycAnswer | { outcome: "not-found" };

/** What one attempt came to. */
export interface Attempted {
  answer: Found;
  /** The record as it is known now. */
  record: KycRecord;
  /** False where the answer did not arrive in the database, or another attempt had taken over. */
  stored: boolean;
}

/**
 * Makes one attempt to learn what became of a submission, and stores what was learned: the request path, the
 * worker and people call this. The provider is called outside any transaction. Where nothing was learned, or
 * it could not be stored, the record stays due (gap G14): it is safe in the database, so this never throws.
 */
export async function settleKyc(
  ports: SettlePorts,
  platformId: string,
  attempt: Attempt,
): Promise<Attempted> {
  const answer = await callProvider(ports, attempt);
  ports.observer.observe("kyc_attempt", { step: attempt.step, outcome: answer.outcome });
  try {
    if (answer.outcome === "answered" || answer.outcome === "refused") {
      const record = await learn(ports, platformId, attempt, answer);
      return { answer, record, stored: record.attempt === attempt.record.attempt };
    }
    const reason = "reason" in answer ? answer.reason : answer.outcome;
    ports.observer.observe("kyc_outcome_unknown", {
      step: attempt.step,
      outcome: answer.outcome,
      reason,
      kycRecordId: attempt.record.kycRecordId,
    });
    await ports.kycRecords.reschedule(platformId, attempt.record, planRetry(attempt, answer));
    return { answer, record: attempt.record, stored: true };
  } catch {
    // The lease runs out and another attempt asks; what the provider did is not forgotten there.
    ports.observer.observe("kyc_not_stored", {
      outcome: answer.outcome,
      kycRecordId: attempt.record.kycRecordId,
    });
    return { answer, record: attempt.record, stored: false };
  }
}

function callProvider({ provider, fileUrls }: SettlePorts, attempt: Attempt): Promise<Found> {
  const { kycRecordId, externalUserId } = attempt.record;
  const names = { reference: kycRecordId, userReference: externalUserId };
  if (attempt.step === "ask") return provider.findKyc(names);
  const { memberId: _staysHere, ...applicant } = attempt.submission;
  // Signed afresh for every attempt, and never stored.
  return provider.submitKyc({ ...names, applicant: withFileUrls(applicant, fileUrls.signed) });
}

async function learn(
  { kycRecords, observer }: SettlePorts,
  platformId: string,
  attempt: Attempt,
  verdict: KycVerdict,
): Promise<KycRecord> {
  if (verdict.outcome === "answered" && unifiedStatus(verdict.subStatus) === null) {
    // Not the value, which is the provider's own text: the record shows it.
    observer.observe("provider_sub_status_unmapped", { kycRecordId: attempt.record.kycRecordId });
  }
  const { before, record } = await kycRecords.storeVerdict(platformId, attempt.record, verdict);
  if (isReversal(before, record)) observer.observe("kyc_final_reversed", { kycRecordId: record.kycRecordId });
  return record;
}
