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
import { observeChange, observeUnmapped } from "./observe.ts";

export type AttemptPorts = Pick<Ports, "provider" | "kycRecords" | "observer"> & {
  fileUrls: Pick<FileUrls, "signed">;
};

/** The result of one attempt. */
export interface AttemptResult {
  reply: ProviderReply;
  /** The record after the attempt. */
  record: KycRecord;
  /** False if the answer could not be stored, or another attempt owns the record. */
  stored: boolean;
}

/**
 * Makes one attempt to settle a submission and stores the provider's answer. Requests, the worker and operators all
 * use it. It calls the provider outside any transaction and never throws: without a stored answer the record stays due
 * (gap G14).
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
    // After the lease expires, another attempt asks the provider for the outcome.
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
  // Each attempt signs the URLs, because signed URLs expire and are never stored.
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
  observeChange(observer, change);
  return change.record;
}
