import * as z from "zod";
import { externalUserId } from "../identity/identifier.ts";
import { email, memberId } from "../input/formats.ts";
import { platformId } from "../platforms/platform.ts";

/** An existing cardholder of a platform. */
export const importedUser = z.object({
  memberId,
  email,
  /** The user's existing id at the provider. Without it, the user is new to the provider. */
  externalUserId: externalUserId.optional(),
});
export type ImportedUser = z.output<typeof importedUser>;

/**
 * `created`; `unchanged` if the user exists with the same identifiers; `taken` if another user has the value of
 * `field`, or this user has a different value.
 */
const importOutcome = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("created") }),
  z.object({ outcome: z.literal("unchanged") }),
  z.object({ outcome: z.literal("taken"), field: importedUser.keyof() }),
]);
export type ImportOutcome = z.output<typeof importOutcome>;

/** One batch of an import. Repeating a batch is safe. */
export const importUsersInput = z.object({ platformId, users: z.array(importedUser).min(1).max(200) });

export const importedUsers = z
  .object({
    outcomes: z
      .array(importOutcome)
      .meta({ description: "One outcome per user, in the order of the input." }),
  })
  .meta({ id: "ImportedUsers" });
