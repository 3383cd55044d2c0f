import type { KycRecord, KycSubmission } from "@cardbridge/domain";
import { unifiedStatus } from "@cardbridge/domain";
import type { Ports } from "./ports.ts";

/**
 * Sends a claimed record to the provider, outside any transaction, and stores what it said. Where nothing
 * is known afterwards, or what is known could not be stored, the record stays unsettled (gap G14): it is
 * safe in the database, so this never throws.
 */
export async function settleKyc(
  { provider, kycRecords, observer }: Pick<Ports, "provider" | "kycRecords" | "observer">,
  platformId: string,
  record: KycRecord,
  { memberId: _staysHere, ...applicant }: KycSubmission,
): Promise<KycRecord> {
  const answer = await provider.submitKyc({
    reference: record.kycRecordId,
    userReference: record.externalUserId,
    applicant,
  });
  if (answer.outcome === "unsent" || answer.outcome === "unknown") {
    observer.observe("kyc_outcome_unknown", { outcome: answer.outcome, reason: answer.reason });
    return record;
  }
  if (answer.outcome === "yes" && unifiedStatus(answer.subStatus) === null) {
    observer.observe("provider_sub_status_unmapped");
  }
  try {
    return await kycRecords.storeVerdict(platformId, record, answer);
  } catch {
    observer.observe("kyc_outcome_unknown", { outcome: answer.outcome, reason: "not-stored" });
    return record;
  }
}
