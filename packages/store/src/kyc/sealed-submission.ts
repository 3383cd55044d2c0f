import type { KycSubmission } from "@cardbridge/domain";
import { unwrapDataKey, type WrappedKey } from "../sealing/data-key.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { sealData, unsealData } from "../sealing/personal-data.ts";

/** A record and its platform. */
interface RecordRef {
  platformId: string;
  kycRecordId: string;
}

/** A record with its user's wrapped data key. */
interface UserRecordRef extends RecordRef {
  userId: string;
  wrappedKey: WrappedKey;
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring does not decrypt the user's data key. */
export function sealSubmission(submission: KycSubmission, record: UserRecordRef, ring: KeyRing): Buffer {
  return sealSubmissionUnder(dataKeyOf(record, ring), submission, record);
}

/** Encrypts a submission under a data key that the caller has unwrapped. */
export function sealSubmissionUnder(dataKey: Buffer, submission: KycSubmission, record: RecordRef): Buffer {
  return sealData(submission, dataKey, rowOf(record));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function unsealSubmission(sealed: Buffer, record: UserRecordRef, ring: KeyRing): KycSubmission {
  return unsealData<KycSubmission>(sealed, dataKeyOf(record, ring), rowOf(record));
}

const rowOf = ({ platformId, kycRecordId }: RecordRef) =>
  ({ platformId, table: "kyc_records", rowId: kycRecordId }) as const;

const dataKeyOf = ({ platformId, userId, wrappedKey }: UserRecordRef, ring: KeyRing) =>
  unwrapDataKey(wrappedKey, { platformId, userId }, ring);
