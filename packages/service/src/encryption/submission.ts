import type { KycSubmission } from "@cardbridge/domain";
import { unwrapDataKey, type WrappedKey } from "./data-key.ts";
import type { KeyRing } from "./key-ring.ts";
import { decryptData, encryptData } from "./personal-data.ts";

/** A record and its platform. */
interface RecordRef {
  platformId: string;
  kycRecordId: string;
}

/** A record and its user's wrapped data key. */
interface UserRecordRef extends RecordRef {
  userId: string;
  wrappedKey: WrappedKey;
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt the user's data key. */
export function encryptSubmission(submission: KycSubmission, record: UserRecordRef, ring: KeyRing): Buffer {
  return encryptSubmissionUnder(dataKeyOf(record, ring), submission, record);
}

/** Encrypts a submission under a data key that the caller has unwrapped. */
export function encryptSubmissionUnder(
  dataKey: Buffer,
  submission: KycSubmission,
  record: RecordRef,
): Buffer {
  return encryptData(submission, dataKey, rowOf(record));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function decryptSubmission(encrypted: Buffer, record: UserRecordRef, ring: KeyRing): KycSubmission {
  return decryptData<KycSubmission>(encrypted, dataKeyOf(record, ring), rowOf(record));
}

const rowOf = ({ platformId, kycRecordId }: RecordRef) =>
  ({ platformId, table: "kyc_records", rowId: kycRecordId }) as const;

const dataKeyOf = ({ platformId, userId, wrappedKey }: UserRecordRef, ring: KeyRing) =>
  unwrapDataKey(wrappedKey, { platformId, userId }, ring);
