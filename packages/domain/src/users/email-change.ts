import { Failure } from "../errors/failure.ts";
import { type EmailOwner, emailOfAnotherUser, mayLoseEmail } from "../kyc/email-owner.ts";

/** The stored facts about a change of a user's e-mail. */
export interface EmailChangeFacts {
  user: { hasEmail: boolean; erasureRequested: boolean };
  /** The other user who has the e-mail. */
  emailOwner: EmailOwner | undefined;
}

/**
 * Decides on a change of a user's e-mail, regardless of their records (G17): `unchanged` if they already have it.
 * Failures: USER_ERASURE_PENDING, USER_IDENTITY_CONFLICT.
 */
export function decideEmailChange({ user, emailOwner }: EmailChangeFacts): "unchanged" | "change" | Failure {
  if (user.erasureRequested) return new Failure("USER_ERASURE_PENDING");
  if (user.hasEmail) return "unchanged";
  if (emailOwner && !mayLoseEmail(emailOwner))
    return new Failure("USER_IDENTITY_CONFLICT", { violations: [emailOfAnotherUser] });
  return "change";
}
