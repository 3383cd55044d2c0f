import * as z from "zod";
import { kycVerdict } from "./verdict.ts";

/** How we name a submission to the provider. */
export interface KycReference {
  /** The kycRecordId: the provider's idempotency reference (gap G12). */
  reference: string;
  /** The externalUserId (gap G11). */
  userReference: string;
}

/** Provably nothing reached the provider. */
const unsent = z.object({ outcome: z.literal("unsent"), reason: z.string() });
/** Neither a verdict nor proof that nothing was sent: the submission may or may not have happened. */
const unknown = z.object({
  outcome: z.literal("unknown"),
  reason: z.string(),
  retryAfterSeconds: z.number().optional(),
});
const notFound = z.object({ outcome: z.literal("not-found") });

/** What the provider answers to a submission. */
export const kycAnswer = z.discriminatedUnion("outcome", [...kycVerdict.options, unsent, unknown]);
export type KycAnswer = z.output<typeof kycAnswer>;

/** What the provider answers when it is sent a submission or asked about one. */
export const providerReply = z.discriminatedUnion("outcome", [...kycAnswer.options, notFound]);
export type ProviderReply = z.output<typeof providerReply>;
