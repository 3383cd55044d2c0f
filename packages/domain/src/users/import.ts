import * as z from "zod";
import { email, memberId } from "../formats.ts";
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
 * What became of one: made, there already with the same names, or not taken, because another user has the value
 * of this field or this user another one.
 */
export type ImportOutcome = "created" | "unchanged" | { taken: keyof ImportedUser };
