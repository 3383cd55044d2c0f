import * as z from "zod";
import { email, memberId } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import type { ExactlyOne } from "../input/narrow-input.ts";
import type { Rule } from "../input/rule.ts";

export const externalUserId = z
  .stringFormat("external-user-id", idPattern(80))
  .meta({ description: "Our id of the user, such as usr_…, which is also the reference at the provider." });

/** The two identifiers of a user on a platform (interface, section 4.1). */
export const identifierFields = {
  email: email.optional(),
  memberId: memberId.optional(),
};

/** Exactly one identifier, as `exactlyOneIdentifier` requires. */
export type OneIdentifier = ExactlyOne<{ email: string; memberId: string }>;

export type UserIdentifier = { email: string } | { memberId: string };

/** Interface, section 4.1, rule 1. Both or neither is an error (G4). */
export const exactlyOneIdentifier: Rule = {
  id: "exactly-one-identifier",
  section: "4.1",
  description: "Send exactly one of email and memberId.",
  check(input) {
    const sent = ["email", "memberId"].filter((name) => input[name] !== undefined);
    if (sent.length === 1) return [];
    const message =
      sent.length === 0 ? "Send either email or memberId." : "Send either email or memberId, not both.";
    return [{ path: ["email"], rule: "exactly-one-identifier", message }];
  },
  schema: { oneOf: [{ required: ["email"] }, { required: ["memberId"] }] },
};

/** Returns the identifier of an input that satisfies `exactlyOneIdentifier`. */
export function toIdentifier(input: {
  email?: string | undefined;
  memberId?: string | undefined;
}): UserIdentifier {
  const { email, memberId } = input;
  if (email !== undefined) return { email };
  if (memberId !== undefined) return { memberId };
  throw new TypeError("The input has neither email nor memberId.");
}

/** E-mail addresses are compared case-insensitively. */
export function normalizeEmail(address: string): string {
  return address.toLowerCase();
}
