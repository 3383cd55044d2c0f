import * as z from "zod";
import { replyWords } from "./reply-words.ts";
import { type KycVerdict, kycVerdict } from "./verdict.ts";

/** Identifies a submission at the provider. */
export interface KycReference {
  /** The kycRecordId: the provider's idempotency reference. */
  reference: string;
  /** The externalUserId. */
  userReference: string;
}

/** A submission by its reference, or the latest submission by an id that the provider generated in a step. */
export type AskedSubmission = KycReference | { step: string; id: string };

/** Nothing of the submission took effect at the provider. */
const unsent = z.object({ outcome: z.literal("unsent"), reason: z.string() });
/** The outcome is unknown: the submission may or may not have reached the provider. */
const unknown = z.object({
  outcome: z.literal("unknown"),
  reason: z.string(),
  retryAfterSeconds: z.number().optional(),
  /** Further attempts get the same reply: an operator has to look at the submission. */
  needsAttention: z.literal(true).optional(),
});
const notFound = z.object({ outcome: z.literal("not-found") });

/** The provider's reply to a submission or a query: a verdict, or why there is none. Only a query
 * returns `not-found`. */
export type ProviderReply = KycVerdict | z.output<typeof unsent | typeof unknown | typeof notFound>;

const [answered, refused] = kycVerdict.options;
const words = {
  words: z.string().meta({ description: "The reply in words, such as `the provider timed out`." }),
};

/** A reply as operators see it: in words, and without restricted reasons. */
export const shownReply = z.discriminatedUnion("outcome", [
  answered.omit({ restricted: true }).extend(words),
  refused.omit({ restricted: true }).extend(words),
  unsent.extend(words),
  unknown.extend(words),
  notFound.extend(words),
]);
export type ShownReply = z.output<typeof shownReply>;

/** Adds the words, and removes the reasons that only compliance may see. */
export function showReply(reply: ProviderReply): ShownReply {
  const { restricted: _, ...shown } = "restricted" in reply ? reply : { ...reply, restricted: undefined };
  return { ...shown, words: replyWords(reply) };
}
