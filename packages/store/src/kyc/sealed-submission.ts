import type { KycSubmission } from "@cardbridge/domain";
import { unwrapDataKey, type WrappedKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { openData, sealData } from "../sealing/personal-data.ts";

/** The record that a submission belongs to. */
interface Home {
  platformId: string;
  kycRecordId: string;
}

/** With its user's data key. */
interface Place extends Home {
  userId: string;
  wrappedKey: WrappedKey;
}

/** @throws Failure SERVICE_UNAVAILABLE where the keys do not open the user's data key. */
export function sealSubmission(submission: KycSubmission, place: Place, keys: Keys): Buffer {
  return sealUnder(dataKeyOf(place, keys), submission, place);
}

/** For whoever has the data key itself. */
export function sealUnder(dataKey: Buffer, submission: KycSubmission, home: Home): Buffer {
  return sealData(submission, dataKey, rowOf(home));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be opened. */
export function openSubmission(sealed: Buffer, place: Place, keys: Keys): KycSubmission {
  return openData<KycSubmission>(sealed, dataKeyOf(place, keys), rowOf(place));
}

const rowOf = ({ platformId, kycRecordId }: Home) =>
  ({ platformId, table: "kyc_records", rowId: kycRecordId }) as const;

const dataKeyOf = ({ platformId, userId, wrappedKey }: Place, { ring }: Keys) =>
  unwrapDataKey(wrappedKey, { platformId, userId }, ring);
