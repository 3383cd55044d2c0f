import * as z from "zod";
import { kycVerdict } from "./verdict.ts";

/** Identifies a submission at the provider. */
export interface KycReference {
  /** The kycRecordId: the provider's idempotency reference (gap G12). */
  reference: string;
  /** The externalUserId (gap G11). */
  userReference: string;
}

/** Nothing reached the provider. */
const unsent = z.object({ outcome: z.literal("unsent"), reason: z.string() });
/** The outcome is unknown: the submission may or may not have reached the provider. */
const unknown = z.object({
  outcome: z.literal("unknown"),
  reason: z.string(),
  retryAfterSeconds: z.number().optional(),
});
const notFound = z.object({ outcome: z.literal("not-found") });

/** The provider's answer to a submission. */
export const kycAnswer = z.discriminatedUnion("outcome", [...kycVerdict.options, unsent, unknown]);
export type KycAnswer = z.output<typeof kycAnswer>;

/** The provider's reply to a submission or a query. */
export const providerReply = z.discriminatedUnion("outcome", [...kycAnswer.options, notFound]);
export type ProviderReply = z.output<typeof providerReply>;
