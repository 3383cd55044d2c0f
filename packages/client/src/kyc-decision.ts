import type { DocumentRequest, KycHistory, KycReason } from "./types.ts";

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

/** The provider asks for further documents. Answer each of `requests` with `answerRequest`, and wait again. */
export interface KycActionRequired extends Decided<"action-required"> {
  /** The open requests that files answer, oldest first. At least one. */
  requests: DocumentRequest[];
}

/** A record that is no approval. `pending`: there is no decision yet. */
export type KycNotApproved =
  | Decided<"rejected">
  | Decided<"refused">
  | Decided<"pending">
  | KycActionRequired;

/** The user is approved; `record` is the approval that stands. */
export interface KycApproved extends Decided<"approved"> {
  /** What became of the renewal that the call was about; null if that record is the approval itself. */
  renewal: KycNotApproved | null;
}

/** The decision on a KYC record. */
export type KycDecision = KycApproved | KycNotApproved;

/** The user has an open or approved record of another body. The submission changed nothing; `record` is that record. */
export type KycConflict = Decided<"conflict">;

/** Reads the decision from a record. A status that the client does not know is not a decision. */
export function toDecision(record: KycHistory): KycDecision {
  // A service of an earlier version returns no requests.
  const { reasons = [], final = false, requests = [] } = record;
  const decision = decisionOf(record);
  const decided = { reasons, final, record };
  if (decision === "approved") return { decision, ...decided, renewal: null };
  if (decision !== "pending") return { decision, ...decided };
  const open = requests.filter(({ status, accepts }) => status === "open" && accepts.length > 0);
  return open.length > 0
    ? { decision: "action-required", ...decided, requests: open }
    : { decision, ...decided };
}

/** The decision on a renewal that is not approved: the user's approval stands. */
export function withStanding(renewal: KycNotApproved, record: KycHistory): KycApproved {
  return { decision: "approved", reasons: [], final: false, record, renewal };
}

function decisionOf({ code, status }: KycHistory): "approved" | "rejected" | "refused" | "pending" {
  if (code === "KYC_REFUSED") return "refused";
  if (status === "APPROVED") return "approved";
  return status === "REJECTED" ? "rejected" : "pending";
}
