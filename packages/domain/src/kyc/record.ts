import type { ExpiryCheck } from "./document-expiry.ts";
import type { ManualDecision } from "./manual-decision.ts";
import type { KycExplanation } from "./reasons.ts";
import { type KycStatus, unifiedStatus } from "./status.ts";
import type { KycVerdict } from "./verdict.ts";

/** Whether the provider has answered a submission; see KycState. */
export const resolutions = ["unresolved", "answered", "refused"] as const;
type Resolution = (typeof resolutions)[number];

/**
 * The state of one submission.
 *
 * - `unresolved`: the provider's verdict is unknown.
 * - `answered`: the provider received it; `status` and `subStatus` are the state of its review.
 * - `refused`: the provider refused it.
 */
export interface KycState {
  resolution: Resolution;
  /** The unified status of the last verdict with a mapped value; null before the first. */
  status: KycStatus | null;
  /** The provider's raw value, unchanged. */
  subStatus: string | null;
  cardAccountId: string | null;
  /** The revision of the provider's decision; null without one. */
  revision: number | null;
  /** Why the provider refused or rejected the submission; null without a refusal, a rejection or a reason. */
  explanation: KycExplanation | null;
}

export interface KycRecord extends KycState {
  kycRecordId: string;
  externalUserId: string;
  /** The number of the attempt that owns the record, starting at 1. */
  attempt: number;
  createdAt: Date;
  /** The state of the document's date as it was last looked at; null if it is unknown. */
  documentExpiry: ExpiryCheck["documentExpiry"];
  /** The kycRecordId of the standing approval that the record renews; null for any other record (G44). */
  renews: string | null;
  /** When it was first approved; null before, and while an earlier version's approval stands. */
  approvedAt: Date | null;
}

export const newState: KycState = {
  resolution: "unresolved",
  status: null,
  subStatus: null,
  cardAccountId: null,
  revision: null,
  explanation: null,
};

/** A record before its first attempt ends. */
export const newRecord = {
  ...newState,
  attempt: 1,
  documentExpiry: null,
  renews: null,
  approvedAt: null,
} satisfies Partial<KycRecord>;

/** Whether the provider refused or rejected the submission. */
export function isDeclined({ resolution, status }: Pick<KycState, "resolution" | "status">): boolean {
  return resolution === "refused" || status === "REJECTED";
}

/** Whether the provider's decision is final. Workers do not query final records. */
export function isFinal(state: Pick<KycState, "resolution" | "status">): boolean {
  return isDeclined(state) || state.status === "APPROVED";
}

/**
 * Returns the state after a verdict; the same object if the verdict changes nothing.
 *
 * Verdicts arrive repeatedly, late and in any order, so only a higher revision counts. A verdict without a revision
 * replies to the attempt that owns the record, so it is the latest and receives the next revision (G35). A pending
 * status never replaces a final one; a later final status does (`isReversal`). An unmapped raw value keeps the unified
 * status and its explanation. Only a refusal or a rejection has an explanation.
 */
export function applyVerdict<S extends KycState>(state: S, verdict: KycVerdict): S {
  const explanation = verdict.explanation ?? null;
  if (verdict.outcome === "refused") {
    // A refusal has no revision. It never replaces a decision of the provider.
    const undecided = state.resolution !== "refused" && state.revision === null;
    return undecided ? { ...state, ...newState, resolution: "refused", explanation } : state;
  }
  const revision = verdict.revision ?? (state.revision ?? 0) + 1;
  if (revision <= (state.revision ?? -1)) return state;
  const mapped = unifiedStatus(verdict);
  const after: S = {
    ...state,
    resolution: "answered",
    status: mapped ?? state.status,
    subStatus: verdict.subStatus,
    cardAccountId: verdict.cardAccountId ?? state.cardAccountId,
    revision,
    explanation: mapped === null ? state.explanation : mapped === "REJECTED" ? explanation : null,
  };
  if (isFinal(state) && !isFinal(after)) return state;
  return verdict.revision === null && isSameReview(state, after) ? state : after;
}

/** Whether two states are equal apart from their revision. */
function isSameReview(before: KycState, after: KycState): boolean {
  return JSON.stringify({ ...before, revision: 0 }) === JSON.stringify({ ...after, revision: 0 });
}

/**
 * Returns the state after a manual decision; the same object unless the record is unresolved. The new state has no
 * revision, so any later decision of the provider replaces it.
 */
export function applyManualDecision<S extends KycState>(state: S, decision: ManualDecision): S {
  if (state.resolution !== "unresolved") return state;
  const verdict = decision.outcome === "answered" ? { ...decision, revision: 0 } : decision;
  return { ...applyVerdict(state, verdict), revision: null };
}

/** Whether one final status replaced another. Operators should investigate. */
export function isReversal(before: KycState, after: KycState): boolean {
  return isFinal(before) && isFinal(after) && before.status !== after.status;
}
