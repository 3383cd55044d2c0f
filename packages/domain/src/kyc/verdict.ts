import * as z from "zod";

const refused = z.object({ outcome: z.literal("refused") });

/** What the provider reported of a submission: its review, or that it refused to take it. */
export const kycVerdict = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("answered"),
    /** The raw value of the provider. */
    subStatus: z.string(),
    cardAccountId: z.string().nullable(),
    /** The provider's count of its decisions. */
    revision: z.int(),
  }),
  refused,
]);
export type KycVerdict = z.output<typeof kycVerdict>;
