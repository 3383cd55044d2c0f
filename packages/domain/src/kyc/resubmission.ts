import { isDeclined, type KycRecord } from "./record.ts";

export type ResubmissionDecision = "submit" | "replay" | "conflict";

/** A submission compared with the user's records. */
export interface Resubmission {
  /** The user's latest record. */
  latest: KycRecord;
  /** The newest of the user's records with an equal body. */
  equal: KycRecord | undefined;
  /** The Idempotency-Key is new. */
  newKey: boolean;
}

/** Decides on a submission of a user who already has a record. */
export interface ResubmissionPolicy {
  id: string;
  /** `replay` returns the equal record, or the latest one if none is equal; `conflict` names the latest one. */
  decide(submission: Resubmission): ResubmissionDecision;
}

/**
 * A body equal to any record's returns that record's current result, so that a late retry starts no verification. After
 * a rejection or a refusal, a different body, or the same one with a new key, starts a new record (G16).
 */
export const afterRejection: ResubmissionPolicy = {
  id: "after-rejection",
  decide({ latest, equal, newKey }) {
    if (equal && !(newKey && isDeclined(equal))) return "replay";
    return isDeclined(latest) ? "submit" : "conflict";
  },
};
