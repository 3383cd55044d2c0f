import {
  isReversal,
  type KycRecord,
  type KycVerdict,
  type Observer,
  type RecordChange,
  unifiedStatus,
} from "@cardbridge/domain";

/** Counts a sub-status that has no unified status. The value is the provider's own text, so no label holds it. */
export function observeUnmapped(
  observer: Observer,
  { kycRecordId }: Pick<KycRecord, "kycRecordId">,
  verdict: KycVerdict,
): void {
  if (verdict.outcome !== "answered" || unifiedStatus(verdict.subStatus) !== null) return;
  observer.observe("provider_sub_status_unmapped", { kycRecordId });
}

/** Counts a final status that gave way to another one. */
export function observeReversal(observer: Observer, { before, record }: RecordChange): void {
  if (isReversal(before, record)) observer.observe("kyc_final_reversed", { kycRecordId: record.kycRecordId });
}
