import type { EmailOwner, KycRecord, SubmissionFacts } from "@cardbridge/domain";
import type { LockedUser } from "../users/lock.ts";
import type { PreparedRecord } from "./prepare-record.ts";

/** What a submission or its preview found. */
interface Found {
  /** The record that the Idempotency-Key already names. */
  usedKey: { kycRecordId: string; fingerprint: Buffer } | undefined;
  user: LockedUser | undefined;
  emailOwner: EmailOwner | undefined;
  /** The user's latest record. */
  latest: { record: KycRecord; fingerprint: Buffer } | undefined;
}

/** The facts that decide on a submission. */
export function submissionFacts(
  { request, key, fingerprint }: PreparedRecord,
  { usedKey, user, emailOwner, latest }: Found,
): SubmissionFacts {
  return {
    usedKey: usedKey && { ...usedKey, equal: fingerprint.equals(usedKey.fingerprint) },
    // A submission that finds its own record repeats it: its first commit arrived, but its reply was lost.
    newKey: key !== undefined && latest?.record.kycRecordId !== request.kycRecordId,
    user: user && {
      ...user,
      latest: latest && { record: latest.record, equal: fingerprint.equals(latest.fingerprint) },
    },
    emailOwner,
  };
}
