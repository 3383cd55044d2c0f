import { isDeclined, type KycRecord } from "./record.ts";

export type ResubmissionDecision = "submit" | "replay" | "conflict";

/** A submission compared with the user's latest record. */
export interface Resubmission {
  /** The bodies are equal. */
  equal: boolean;
  /** The Idempotency-Key is new. */
  newKey: boolean;
}

/** Decides on a submission of a user who already has a record. */
export interface ResubmissionPolicy {
  id: string;
  decide(latest: KycRecord, submission: Resubmission): ResubmissionDecision;
}

/**
 * An equal body returns the latest record's current result, so that callers can retry safely. After a rejection or a
 * refusal, a different body or a new key starts a new record (G16).
 */
export const afterRejection: ResubmissionPolicy = {
  id: "after-rejection",
  decide(latest, { equal, newKey }) {
    if (isDeclined(latest) && (!equal || newKey)) return "submit";
    return equal ? "replay" : "conflict";
  },
};
