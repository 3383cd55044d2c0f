import {
  isReversal,
  type KycRecord,
  type KycVerdict,
  type Observer,
  type RecordChange,
  unifiedStatus,
} from "@cardbridge/domain";

/**
 * Reports an unmapped sub-status and an unmapped reason. No label contains the raw value, because it is the provider's
 * text.
 */
export function observeUnmapped(
  observer: Observer,
  { kycRecordId }: Pick<KycRecord, "kycRecordId">,
  verdict: KycVerdict,
): void {
  if (verdict.outcome === "answered" && unifiedStatus(verdict) === null)
    observer.observe("provider_sub_status_unmapped", { kycRecordId });
  if (verdict.explanation?.reasons.some(({ code }) => code === "OTHER"))
    observer.observe("provider_reason_unmapped", { kycRecordId });
}

/** Reports a reversal of a final status, and an approval of a user without an e-mail (gap G17). */
export function observeChange(
  observer: Observer,
  { before, record, approvedWithoutEmail }: RecordChange,
): void {
  const { kycRecordId } = record;
  if (isReversal(before, record)) observer.observe("kyc_final_reversed", { kycRecordId });
  if (approvedWithoutEmail) observer.observe("kyc_approved_without_email", { kycRecordId });
}
