import type { Violation } from "../input/violations.ts";
import { isDeclined, type KycState } from "./record.ts";

/** The user who has the e-mail that another user brings. */
export interface EmailOwner {
  /** Their latest record; undefined if they have none. */
  latest: Pick<KycState, "resolution" | "status"> | undefined;
  /** Whether any of their records was ever approved, by history. */
  everApproved: boolean;
  /** Whether they were imported: then the e-mail is known without a record. */
  imported: boolean;
}

/**
 * Whether another user may take this user's e-mail (G17): their latest submission was declined, and nothing ever
 * confirmed the e-mail.
 */
export function mayLoseEmail({ latest, everApproved, imported }: EmailOwner): boolean {
  return latest !== undefined && isDeclined(latest) && !everApproved && !imported;
}

/* The violations of USER_IDENTITY_CONFLICT. */

export const emailOfAnotherUser: Violation = {
  path: ["email"],
  rule: "email-of-another-user",
  message:
    "Another user of this platform has this e-mail. Send another e-mail, or first give that user another one with " +
    "users.changeEmail.",
};

/** For a memberId that no user has: probably the same person under another memberId. */
export const memberIdOfNobody: Violation = {
  path: ["memberId"],
  rule: "email-of-another-user",
  message:
    "A user with another memberId has this e-mail. Send that memberId or another e-mail, or first give that user " +
    "another e-mail with users.changeEmail.",
};

export const emailNotTheUsers: Violation = {
  path: ["email"],
  rule: "email-mismatch",
  message:
    "The user with this memberId has another e-mail. Send that e-mail, or first change it with users.changeEmail.",
};
