import type { KycSubmission } from "@cardbridge/domain";
import { unwrapDataKey, type WrappedKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { openData, sealData } from "../sealing/personal-data.ts";

/** The record that a submission belongs to, with its user's data key. */
interface Place {
  platformId: string;
  kycRecordId: string;
  userId: string;
  wrappedKey: WrappedKey;
}

/** @throws Failure SERVICE_UNAVAILABLE where the keys do not open the user's data key. */
export function sealSubmission(submission: KycSubmission, place: Place, keys: Keys): Buffer {
  return sealData(submission, dataKeyOf(place, keys), rowOf(place));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be opened. */
export function openSubmission(sealed: Buffer, place: Place, keys: Keys): KycSubmission {
  return openData<KycSubmission>(sealed, dataKeyOf(place, keys), rowOf(place));
}

const rowOf = ({ platformId, kycRecordId }: Place) =>
  ({ platformId, table: "kyc_records", rowId: kycRecordId }) as const;

const dataKeyOf = ({ platformId, userId, wrappedKey }: Place, { ring }: Keys) =>
  unwrapDataKey(wrappedKey, { platformId, userId }, ring);
