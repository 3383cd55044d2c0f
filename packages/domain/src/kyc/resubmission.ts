import type { KycRecord } from "./record.ts";

export type ResubmissionDecision = "submit" | "replay" | "conflict";

/** What to do with a submission when its user already has a record; `equal` means the same body. */
export interface ResubmissionPolicy {
  id: string;
  decide(latest: KycRecord, equal: boolean): ResubmissionDecision;
}

/**
 * An equal body repeats the latest record's current result, so that a caller may retry safely. Another
 * body starts a new record only after a rejection or a refusal (gap G16).
 */
export const afterRejection: ResubmissionPolicy = {
  id: "after-rejection",
  decide(latest, equal) {
    if (equal) return "replay";
    return latest.settlement === "refused" || latest.status === "REJECTED" ? "submit" : "conflict";
  },
};
