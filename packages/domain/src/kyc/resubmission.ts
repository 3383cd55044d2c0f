import { isRenewable } from "./document-expiry.ts";
import { isDeclined, type KycRecord } from "./record.ts";

/**
 * `renew` is a new record beside the standing approval. `not-renewable` is a conflict, because the provider cannot
 * renew.
 */
export type ResubmissionDecision = "submit" | "renew" | "replay" | "conflict" | "not-renewable";

/** A submission compared with the user's records. */
export interface Resubmission {
  /** The user's latest record. */
  latest: KycRecord;
  /** The newest of the user's records with an equal body. */
  equal: KycRecord | undefined;
  /** The user's standing approval. */
  standing: KycRecord | undefined;
  /** The Idempotency-Key is new. */
  newKey: boolean;
  /** Whether the provider can renew an approval. */
  renews: boolean;
}

/** Decides on a submission of a user who already has a record. */
export interface ResubmissionPolicy {
  id: string;
  /** `replay` returns the equal record, or the latest one if none is equal; a conflict names the one that prevents it. */
  decide(submission: Resubmission): ResubmissionDecision;
}

/**
 * A body equal to any record's returns that record's current result, so that a late retry starts no verification. After
 * a rejection or a refusal, a different body, or the same one with a new key, starts a new record (G16). While the user
 * has a standing approval, only an expiring document starts one: its renewal (G44).
 */
export const afterRejection: ResubmissionPolicy = {
  id: "after-rejection",
  decide({ latest, equal, standing, newKey, renews }) {
    if (equal && !(newKey && isDeclined(equal))) return "replay";
    if (!standing) return isDeclined(latest) ? "submit" : "conflict";
    const isUnderWay = latest.kycRecordId !== standing.kycRecordId && !isDeclined(latest);
    if (isUnderWay || !isRenewable(standing.documentExpiry)) return "conflict";
    return renews ? "renew" : "not-renewable";
  },
};
