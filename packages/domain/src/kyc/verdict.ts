import * as z from "zod";
import { maxRequests, providerDocumentRequest } from "./provider-request.ts";
import { kycExplanation, restrictedReasons } from "./reasons.ts";
import { kycStatus } from "./status.ts";

/** Both are absent if the provider gave no reason. */
const why = {
  explanation: kycExplanation.optional(),
  /** For the store only: `showReply` removes them before a verdict is shown. */
  restricted: z.array(z.enum(restrictedReasons)).max(restrictedReasons.length).optional(),
};

const refused = z.object({ outcome: z.literal("refused"), ...why });

const answered = z.object({
  outcome: z.literal("answered"),
  /** The provider's raw value. */
  subStatus: z.string(),
  /** The unified status of a raw value that the interface (section 3) does not list. The adapter maps it. */
  status: kycStatus.optional(),
  cardAccountId: z.string().nullable(),
  /**
   * The order of the provider's decisions on this submission: a counter, or the time of the decision in milliseconds
   * since 1970. Null for a reply without an order (G35).
   */
  revision: z.int().nullable(),
  /** The documents that the provider asks for, each with its own order. Absent: the reply does not say. */
  requests: z.array(providerDocumentRequest).max(maxRequests).optional(),
  ...why,
});

/** The provider's verdict on a submission: the status of its review, or a refusal. */
export const kycVerdict = z.discriminatedUnion("outcome", [answered, refused]);
export type KycVerdict = z.output<typeof kycVerdict>;

/** The verdict of an event. Its revision is required, because events arrive late and in any order. */
export type OrderedVerdict = z.output<typeof refused> | (z.output<typeof answered> & { revision: number });
