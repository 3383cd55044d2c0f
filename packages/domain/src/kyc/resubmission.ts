import type { KycRecord } from "./record.ts";

export type ResubmissionDecision = "submit" | "replay" | "conflict";

/** How a submission compares with its user's latest record. */
export interface Resubmission {
  /** The body is the same. */
  equal: boolean;
  /** It comes under an Idempotency-Key that was never used before. */
  newKey: boolean;
}

/** What to do with a submission when its user already has a record. */
export interface ResubmissionPolicy {
  id: string;
  decide(latest: KycRecord, submission: Resubmission): ResubmissionDecision;
}

/**
 * An equal body repeats the latest record's current result, so that a caller may retry safely. A new record
 * starts only after a rejection or a refusal, by another body or under a new key (gap G16).
 */
export const afterRejection: ResubmissionPolicy = {
  id: "after-rejection",
  decide(latest, { equal, newKey }) {
    const over = latest.settlement === "refused" || latest.status === "REJECTED";
    if (over && (!equal || newKey)) return "submit";
    return equal ? "replay" : "conflict";
  },
};
