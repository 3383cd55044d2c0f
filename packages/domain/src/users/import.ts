import * as z from "zod";
import { email, memberId } from "../input/formats.ts";
import { platformId } from "../platforms/platform.ts";
import { externalUserId } from "./user.ts";

/** A cardholder whom a platform had before it came to us. */
export const importedUser = z.object({
  memberId,
  email,
  /** By which the provider knows them already; where it is absent they are new to the provider too. */
  externalUserId: externalUserId.optional(),
});
export type ImportedUser = z.output<typeof importedUser>;

/**
 * `created`, `unchanged` where the user exists with the same names, or `taken` where the value of this field is
 * another user's, or this user has another one.
 */
export const importOutcome = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("created") }),
  z.object({ outcome: z.literal("unchanged") }),
  z.object({ outcome: z.literal("taken"), field: importedUser.keyof() }),
]);
export type ImportOutcome = z.output<typeof importOutcome>;

/** One batch of an import. A batch may be sent again. */
export const importUsersInput = z.object({ platformId, users: z.array(importedUser).min(1).max(200) });

export const importedUsers = z
  .object({ outcomes: z.array(importOutcome).meta({ description: "One for each user, in their order." }) })
  .meta({ id: "ImportedUsers" });
