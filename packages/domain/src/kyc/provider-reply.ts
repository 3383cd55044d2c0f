import type { KycVerdict } from "./record.ts";

/** How we name a submission to the provider. */
export interface KycReference {
  /** The kycRecordId: the provider's idempotency reference (gap G12). */
  reference: string;
  /** The externalUserId (gap G11). */
  userReference: string;
}

/**
 * - `answered`, `refused`: the provider reported on this submission.
 * - `unsent`: provably nothing arrived there.
 * - `unknown`: everything else; the submission may or may not have happened.
 */
export type KycAnswer =
  | KycVerdict
  | { outcome: "unsent"; reason: string }
  | { outcome: "unknown"; reason: string; retryAfterSeconds?: number };

/** What the provider answers when it is sent a submission or asked about one. */
export type ProviderReply = KycAnswer | { outcome: "not-found" };
