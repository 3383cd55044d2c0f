import * as z from "zod";

/** What forbids acts about a user, or delays them. */
export const userState = z.object({
  erasure: z.enum(["none", "requested", "erased"]),
  held: z.boolean().meta({
    description:
      "Whether a legal hold covers the user or one of the records. A requested erasure waits for its end.",
  }),
});
