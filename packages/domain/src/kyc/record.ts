import type { ManualDecision } from "./manual-decision.ts";
import { type KycStatus, unifiedStatus } from "./status.ts";
import type { KycVerdict } from "./verdict.ts";

/** Whether the provider has answered; see KycState. */
export const settlements = ["unsettled", "answered", "refused"] as const;
export type Settlement = (typeof settlements)[number];

/**
 * What is known of one submission.
 *
 * - `unsettled`: the provider's answer is not known (gap G14).
 * - `answered`: the provider has it; `status` and `subStatus` are its review.
 * - `refused`: the provider refused to take it (gap G15).
 */
export interface KycState {
  settlement: Settlement;
  /** The last status that was mapped from an answer of the provider; null before the first (gap G10). */
  status: KycStatus | null;
  /** The provider's raw value, as it came. */
  subStatus: string | null;
  cardAccountId: string | null;
  /** The provider's own count of its decisions, of the one that is shown; null before the first. */
  revision: number | null;
}

export interface KycRecord extends KycState {
  kycRecordId: string;
  externalUserId: string;
  /** The number of the attempt that may store an answer; from 1. */
  attempt: number;
  createdAt: Date;
}

export const newState: KycState = {
  settlement: "unsettled",
  status: null,
  subStatus: null,
  cardAccountId: null,
  revision: null,
};

/** Whether the provider has decided: nothing more is to be asked of it. */
export function isFinal({ settlement, status }: KycState): boolean {
  return settlement === "refused" || status === "APPROVED" || status === "REJECTED";
}

/**
 * The state after a verdict; the same object when the verdict changes nothing.
 *
 * Verdicts come twice, late and in any order, so only a later decision of the provider counts, by its own
 * count. A final one never gives way to one that is not; between finals the later wins (`isReversal` tells).
 * A raw value that nobody has mapped leaves the unified status as it was (gap G10).
 */
export function applyVerdict<S extends KycState>(state: S, verdict: KycVerdict): S {
  if (verdict.outcome === "refused") {
    // A refusal has no count: it replaces what the provider never said, and nothing that it did.
    const unsaid = state.settlement !== "refused" && state.revision === null;
    return unsaid ? { ...state, ...newState, settlement: "refused" } : state;
  }
  if (verdict.revision <= (state.revision ?? -1)) return state;
  const after: S = {
    ...state,
    settlement: "answered",
    status: unifiedStatus(verdict.subStatus) ?? state.status,
    subStatus: verdict.subStatus,
    cardAccountId: verdict.cardAccountId ?? state.cardAccountId,
    revision: verdict.revision,
  };
  return isFinal(state) && !isFinal(after) ? state : after;
}

/**
 * The state after a manual decision; the same object unless the record was unsettled. It carries no revision, so
 * that the provider's own decision wins later.
 */
export function applyManualDecision<S extends KycState>(state: S, decision: ManualDecision): S {
  if (state.settlement !== "unsettled") return state;
  const verdict = decision.outcome === "answered" ? { ...decision, revision: 0 } : decision;
  return { ...applyVerdict(state, verdict), revision: null };
}

/** Whether a final status gave way to the other one: somebody should look. */
export function isReversal(before: KycState, after: KycState): boolean {
  return isFinal(before) && isFinal(after) && before.status !== after.status;
}
