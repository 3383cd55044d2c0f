import * as z from "zod";
import { kycExplanation, restrictedReasons } from "./reasons.ts";

/** Why (gap G28). Both are absent if the provider gave no reason. */
const why = {
  explanation: kycExplanation.optional(),
  /** For the store only: `withoutRestricted` removes them before a verdict is shown. */
  restricted: z.array(z.enum(restrictedReasons)).max(restrictedReasons.length).optional(),
};

const refused = z.object({ outcome: z.literal("refused"), ...why });

/** The provider's verdict on a submission: the status of its review, or a refusal. */
export const kycVerdict = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("answered"),
    /** The provider's raw value. */
    subStatus: z.string(),
    cardAccountId: z.string().nullable(),
    /** The provider's count of its decisions on this submission. */
    revision: z.int(),
    ...why,
  }),
  refused,
]);
export type KycVerdict = z.output<typeof kycVerdict>;
