import * as z from "zod";

/** What the provider asks for during a review, as the journal stores it. */
export const askedSchema = z.object({
  documentType: z.string(),
  /** A reason code of the contract. */
  reason: z.string().nullable(),
  /** From the answer to the approval, in milliseconds. Null: the review continues until an act decides. */
  approvedAfterMs: z.int().nullable(),
});

export type Asked = z.infer<typeof askedSchema>;
