import type { Violation } from "../input/violations.ts";
import { isDeclined, type KycState } from "./record.ts";

/** The current owner of an e-mail that another user submits. */
export interface EmailOwner {
  /** The owner's latest record; undefined if there is none. */
  latest: Pick<KycState, "resolution" | "status"> | undefined;
  /** Whether the history of any of the owner's records contains an approval. */
  everApproved: boolean;
  /** Whether the owner was imported. An import confirms the e-mail without a record. */
  imported: boolean;
}

/**
 * Whether another user may take this e-mail (G17): the owner's latest submission was declined, and neither an approval
 * nor an import ever confirmed the e-mail.
 */
export function mayLoseEmail({ latest, everApproved, imported }: EmailOwner): boolean {
  return latest !== undefined && isDeclined(latest) && !everApproved && !imported;
}

/* The violations of USER_IDENTITY_CONFLICT. */

export const emailOfAnotherUser: Violation = {
  path: ["email"],
  rule: "email-of-another-user",
  message:
    "Another user of this platform has this e-mail. Send another e-mail, or first change that user's e-mail.",
};

/** For a memberId that no user has: probably the same person under another memberId. */
export const memberIdOfNobody: Violation = {
  path: ["memberId"],
  rule: "email-of-another-user",
  message:
    "A user with another memberId has this e-mail. Send that memberId or another e-mail, or first change that " +
    "user's e-mail.",
};

export const emailNotTheUsers: Violation = {
  path: ["email"],
  rule: "email-mismatch",
  message: "The user with this memberId has another e-mail. Send that e-mail, or first change it.",
};
