import { type KycStatus, unifiedStatus } from "./status.ts";

/**
 * What is known of one submission.
 *
 * - `unsettled`: the provider's answer is not known (gap G14).
 * - `answered`: the provider has it; `status` and `subStatus` are its review.
 * - `refused`: the provider refused to take it (gap G15).
 */
export interface KycState {
  settlement: "unsettled" | "answered" | "refused";
  /** The last status that was mapped from an answer of the provider; null before the first (gap G10). */
  status: KycStatus | null;
  /** The provider's raw value, as it came. */
  subStatus: string | null;
  cardAccountId: string | null;
}

export interface KycRecord extends KycState {
  kycRecordId: string;
  externalUserId: string;
  /** The number of the attempt that may store an answer; from 1. */
  attempt: number;
  createdAt: Date;
}

/** What the provider said of a submission, when it said something of it. */
export type KycVerdict =
  | { outcome: "yes"; subStatus: string; cardAccountId: string | null }
  | { outcome: "refused" };

export const newState: KycState = {
  settlement: "unsettled",
  status: null,
  subStatus: null,
  cardAccountId: null,
};

/** The state after a verdict. A raw value that nobody has mapped leaves the unified status as it was (gap G10). */
export function applyVerdict(state: KycState, verdict: KycVerdict): KycState {
  if (verdict.outcome === "refused") {
    return { settlement: "refused", status: null, subStatus: null, cardAccountId: null };
  }
  return {
    settlement: "answered",
    status: unifiedStatus(verdict.subStatus) ?? state.status,
    subStatus: verdict.subStatus,
    cardAccountId: verdict.cardAccountId ?? state.cardAccountId,
  };
}
