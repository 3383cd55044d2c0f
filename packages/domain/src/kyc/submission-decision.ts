import { Failure } from "../errors/failure.ts";
import type { Violation } from "../input/violations.ts";
import {
  type EmailOwner,
  emailNotTheUsers,
  emailOfAnotherUser,
  mayLoseEmail,
  memberIdOfNobody,
} from "./email-owner.ts";
import { isDeclined, type KycRecord } from "./record.ts";
import type { Resubmission, ResubmissionPolicy } from "./resubmission.ts";

/** The stored facts about a submission's identifiers, body and Idempotency-Key. */
export interface SubmissionFacts {
  /** The record that was created with this Idempotency-Key, and whether its body was equal. */
  usedKey: { kycRecordId: string; equal: boolean } | undefined;
  /** Whether the submission has an Idempotency-Key that is new. */
  newKey: boolean;
  /** The user with the memberId. */
  user: SubmittingUser | undefined;
  /** The other user who has the e-mail. */
  emailOwner: EmailOwner | undefined;
}

interface SubmittingUser {
  /** How the user's e-mail compares with the submitted one; `none` if another user took it. */
  email: "same" | "other" | "none";
  erasureRequested: boolean;
  /** The user's latest record. */
  latest: KycRecord | undefined;
  /** The newest of the user's records with an equal body. */
  equal: KycRecord | undefined;
  /** The user's standing approval (G44). */
  standing: KycRecord | undefined;
}

/** The decision on a submission: replay a record, create a record, or fail. */
export type SubmissionDecision =
  | { kind: "replay"; kycRecordId: string }
  | {
      kind: "new";
      /** No user has the memberId. */
      createsUser: boolean;
      /** The user gets the submitted e-mail. */
      bindsEmail: boolean;
      /** The submission takes the e-mail from the other user who has it. */
      takesEmail: boolean;
      /** The standing approval that the record renews; null for any other record. */
      renews: string | null;
    }
  | { kind: "refuse"; failure: Failure };

/**
 * Decides on a submission. It checks replays first (a used key or an equal body), then the identity (G17), then the
 * resubmission (G16, G44). Failures: IDEMPOTENCY_KEY_REUSED, USER_ERASURE_PENDING, USER_IDENTITY_CONFLICT,
 * KYC_ALREADY_SUBMITTED.
 */
export function decideSubmission(
  facts: SubmissionFacts,
  { decide, renews }: Pick<ResubmissionPolicy, "decide"> & Pick<Resubmission, "renews">,
): SubmissionDecision {
  const { usedKey, newKey, user, emailOwner } = facts;
  if (usedKey) {
    if (!usedKey.equal) return refuse(new Failure("IDEMPOTENCY_KEY_REUSED"));
    return { kind: "replay", kycRecordId: usedKey.kycRecordId };
  }
  const { latest, equal, standing } = user ?? {};
  const decision = latest ? decide({ latest, equal, standing, newKey, renews }) : "submit";
  if (latest && decision === "replay") {
    return { kind: "replay", kycRecordId: (equal ?? latest).kycRecordId };
  }

  if (user?.erasureRequested) return refuse(new Failure("USER_ERASURE_PENDING"));
  const violations = identityViolations(facts);
  if (violations.length > 0) return refuse(new Failure("USER_IDENTITY_CONFLICT", { violations }));
  if (latest && (decision === "conflict" || decision === "not-renewable")) {
    const { kycRecordId } = (isDeclined(latest) && standing) || latest;
    const violations = decision === "conflict" ? [] : [notRenewable];
    return refuse(new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId, violations }));
  }
  return {
    kind: "new",
    createsUser: user === undefined,
    bindsEmail: user?.email !== "same",
    takesEmail: emailOwner !== undefined,
    renews: decision === "renew" && standing ? standing.kycRecordId : null,
  };
}

function identityViolations({ user, emailOwner }: SubmissionFacts): Violation[] {
  const violations: Violation[] = [];
  const mayChangeEmail = user?.latest && isDeclined(user.latest) && !user.standing;
  if (user?.email === "other" && !mayChangeEmail) violations.push(emailNotTheUsers);
  if (emailOwner && !mayLoseEmail(emailOwner)) violations.push(user ? emailOfAnotherUser : memberIdOfNobody);
  return violations;
}

const notRenewable: Violation = {
  path: [],
  rule: "renewal-not-supported",
  message: "The document of the user's approval expires, but the card provider cannot renew an approval.",
};

const refuse = (failure: Failure): SubmissionDecision => ({ kind: "refuse", failure });
