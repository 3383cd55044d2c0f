import * as z from "zod";

const refused = z.object({ outcome: z.literal("refused") });

/** The provider's verdict on a submission: the status of its review, or a refusal. */
export const kycVerdict = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("answered"),
    /** The provider's raw value. */
    subStatus: z.string(),
    cardAccountId: z.string().nullable(),
    /** The provider's count of its decisions on this submission. */
    revision: z.int(),
  }),
  refused,
]);
export type KycVerdict = z.output<typeof kycVerdict>;
