import type { KycHistory, KycReason } from "./types.ts";

/** A record and what it means. Switch over `decision`: only `approved` is an approval. */
interface Decided<Decision extends string> {
  decision: Decision;
  /** What to correct before another submission; empty if the provider gave no reason. */
  reasons: KycReason[];
  /** Whether another submission of this user will not help. */
  final: boolean;
  /** The record as the API returned it. */
  record: KycHistory;
}

/** The decision on a KYC record. `pending`: there is no decision yet. */
export type KycDecision = Decided<"approved"> | Decided<"rejected"> | Decided<"refused"> | Decided<"pending">;

/** The user has an open or approved record of another body. The submission changed nothing; `record` is that record. */
export type KycConflict = Decided<"conflict">;

/** Reads the decision from a record. A status that the client does not know is not a decision. */
export function toDecision(record: KycHistory): KycDecision {
  const { reasons = [], final = false } = record;
  return { decision: decisionOf(record), reasons, final, record };
}

function decisionOf({ code, status }: KycHistory): KycDecision["decision"] {
  if (code === "KYC_REFUSED") return "refused";
  if (status === "APPROVED") return "approved";
  return status === "REJECTED" ? "rejected" : "pending";
}
