import {
  type Attempt,
  type FileUrls,
  type KycRecord,
  type KycVerdict,
  type ProviderReply,
  planRetry,
  withFileUrls,
} from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { observeReversal, observeUnmapped } from "./observe.ts";

export type AttemptPorts = Pick<Ports, "provider" | "kycRecords" | "observer"> & {
  fileUrls: Pick<FileUrls, "signed">;
};

/** The result of one attempt. */
export interface AttemptResult {
  reply: ProviderReply;
  /** The record as it is known now. */
  record: KycRecord;
  /** False where the answer did not reach the database, or another attempt had taken over. */
  stored: boolean;
}

/**
 * Makes one attempt to settle a submission and stores the provider's answer: the request, the worker and operators
 * all run this. The provider is called outside any transaction. Without a stored answer the record stays due
 * (gap G14), so this never throws.
 */
export async function runAttempt(
  ports: AttemptPorts,
  platformId: string,
  attempt: Attempt,
): Promise<AttemptResult> {
  const reply = await callProvider(ports, attempt);
  ports.observer.observe("kyc_attempt", { step: attempt.step, outcome: reply.outcome });
  try {
    if (reply.outcome === "answered" || reply.outcome === "refused") {
      const record = await storeVerdict(ports, platformId, attempt, reply);
      return { reply, record, stored: record.attempt === attempt.record.attempt };
    }
    const reason = "reason" in reply ? reply.reason : reply.outcome;
    ports.observer.observe("kyc_outcome_unknown", {
      step: attempt.step,
      outcome: reply.outcome,
      reason,
      kycRecordId: attempt.record.kycRecordId,
    });
    await ports.kycRecords.reschedule(platformId, attempt.record, planRetry(attempt, reply));
    return { reply, record: attempt.record, stored: true };
  } catch {
    // The lease expires and another attempt asks the provider, which knows the outcome.
    ports.observer.observe("kyc_not_stored", {
      outcome: reply.outcome,
      kycRecordId: attempt.record.kycRecordId,
    });
    return { reply, record: attempt.record, stored: false };
  }
}

function callProvider({ provider, fileUrls }: AttemptPorts, attempt: Attempt): Promise<ProviderReply> {
  const { kycRecordId, externalUserId } = attempt.record;
  const names = { reference: kycRecordId, userReference: externalUserId };
  if (attempt.step === "ask") return provider.findKyc(names);
  const { memberId: _, ...applicant } = attempt.submission;
  // Every attempt signs the URLs anew; signed URLs are never stored.
  return provider.submitKyc({ ...names, applicant: withFileUrls(applicant, fileUrls.signed) });
}

async function storeVerdict(
  { kycRecords, observer }: AttemptPorts,
  platformId: string,
  attempt: Attempt,
  verdict: KycVerdict,
): Promise<KycRecord> {
  observeUnmapped(observer, attempt.record, verdict);
  const change = await kycRecords.storeVerdict(platformId, attempt.record, verdict);
  observeReversal(observer, change);
  return change.record;
}
