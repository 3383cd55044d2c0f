import { email, memberId } from "../input/formats.ts";
import type { ExactlyOne } from "../input/narrow-input.ts";
import type { Rule } from "../input/rule.ts";

/** The two names of one user on a platform (interface, section 4.1; gap G17). */
export const identifierFields = {
  email: email.optional(),
  memberId: memberId.optional(),
};

/** One of them, as `exactlyOneIdentifier` asks for it. */
export type OneIdentifier = ExactlyOne<{ email: string; memberId: string }>;

export type UserIdentifier = { email: string } | { memberId: string };

/** Interface, section 4.1, rule 1; both or neither is refused (gap G4). */
export const exactlyOneIdentifier: Rule = {
  id: "exactly-one-identifier",
  section: "4.1",
  description: "Exactly one of email and memberId is given.",
  check(input) {
    const given = ["email", "memberId"].filter((name) => input[name] !== undefined);
    if (given.length === 1) return [];
    const message =
      given.length === 0 ? "Send either email or memberId." : "Send either email or memberId, not both.";
    return [{ path: ["email"], rule: "exactly-one-identifier", message }];
  },
  schema: { oneOf: [{ required: ["email"] }, { required: ["memberId"] }] },
};

/** Picks the identifier out of an input that `exactlyOneIdentifier` let through. */
export function toIdentifier(input: {
  email?: string | undefined;
  memberId?: string | undefined;
}): UserIdentifier {
  const { email, memberId } = input;
  if (email !== undefined) return { email };
  if (memberId !== undefined) return { memberId };
  throw new TypeError("A user is named by an e-mail or a member id.");
}

/** E-mails are the same when they differ in case only (gap G17). */
export function normalizeEmail(address: string): string {
  return address.toLowerCase();
}
