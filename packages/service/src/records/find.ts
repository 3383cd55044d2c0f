import { Failure, type KycAdmin, type RecordDetails } from "@cardbridge/domain";

/** @throws Failure KYC_RECORD_NOT_FOUND. */
export async function findRecord(kycAdmin: KycAdmin, kycRecordId: string): Promise<RecordDetails> {
  const record = await kycAdmin.show(kycRecordId);
  if (!record) throw new Failure("KYC_RECORD_NOT_FOUND");
  return record;
}

/** The record's state does not allow the operation, for the reason in `message`. */
export function recordConflict(message: string): Failure {
  return new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "record-state", message }] });
}
