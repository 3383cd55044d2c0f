import { type EmailOwner, type KycRecord, type SubmissionFacts, standingApproval } from "@cardbridge/domain";
import type { LockedUser } from "../users/lock.ts";
import type { PreparedRecord } from "./prepare-record.ts";

/** The rows that a submission or its preview found. */
interface Found {
  /** The record to which the Idempotency-Key already belongs. */
  usedKey: { kycRecordId: string; fingerprint: Buffer } | undefined;
  user: LockedUser | undefined;
  emailOwner: EmailOwner | undefined;
  /** The user's latest record, the last approved one, and the newest one with the submission's fingerprint, newest first. */
  records: readonly ComparedRecord[];
}

interface ComparedRecord {
  record: KycRecord;
  /** Null for a record that a restored database has from the provider's list. */
  fingerprint: Buffer | null;
  /** The fingerprint of such a record at the provider; null if the provider did not keep it. */
  restoredFingerprint: string | null;
}

/** The facts that decide the outcome of a submission. */
export function submissionFacts(
  { request, key, fingerprint, providerFingerprint }: PreparedRecord,
  { usedKey, user, emailOwner, records }: Found,
): SubmissionFacts {
  const isEqual = (compared: ComparedRecord) =>
    compared.fingerprint
      ? fingerprint.equals(compared.fingerprint)
      : compared.restoredFingerprint === providerFingerprint;
  const equal = records.find(isEqual)?.record;
  return {
    usedKey: usedKey && { ...usedKey, equal: fingerprint.equals(usedKey.fingerprint) },
    // A submission that finds its own record repeats it: its first commit succeeded without a confirmation.
    newKey: key !== undefined && equal?.kycRecordId !== request.kycRecordId,
    user: user && {
      ...user,
      latest: records[0]?.record,
      equal,
      standing: standingApproval(records.map(({ record }) => record)),
    },
    emailOwner,
  };
}
