import * as z from "zod";
import { kycExplanation, restrictedReasons } from "./reasons.ts";
import { kycStatus } from "./status.ts";

/** Why (gap G28). Both are absent if the provider gave no reason. */
const why = {
  explanation: kycExplanation.optional(),
  /** For the store only: `withoutRestricted` removes them before a verdict is shown. */
  restricted: z.array(z.enum(restrictedReasons)).max(restrictedReasons.length).optional(),
};

const refused = z.object({ outcome: z.literal("refused"), ...why });

const answered = z.object({
  outcome: z.literal("answered"),
  /** The provider's raw value. */
  subStatus: z.string(),
  /** The unified status of a raw value that is not one of the interface's (section 3); the adapter maps it. */
  status: kycStatus.optional(),
  cardAccountId: z.string().nullable(),
  /**
   * The order of the provider's decisions on this submission: its count of them, or the time of the decision in
   * milliseconds since 1970. Null for an answer without an order (gap G35).
   */
  revision: z.int().nullable(),
  ...why,
});

/** The provider's verdict on a submission: the status of its review, or a refusal. */
export const kycVerdict = z.discriminatedUnion("outcome", [answered, refused]);
export type KycVerdict = z.output<typeof kycVerdict>;

/** A verdict of an event, which has an order: events arrive late and in any order. */
export type OrderedVerdict = z.output<typeof refused> | (z.output<typeof answered> & { revision: number });
