import { Failure, type Proposal, type UserAdmin, type UserFacts } from "@cardbridge/domain";

/**
 * The outcome for a user, audited for the user's platform.
 * @throws Failure USER_NOT_FOUND for null.
 */
export function userOutcome(user: UserFacts | null, { platformId }: { platformId: string }) {
  if (!user) throw new Failure("USER_NOT_FOUND", { audit: { platformId } });
  return { data: user, subject: user.externalUserId, platformId };
}

/**
 * The outcome of an act on a user: done, or proposed.
 * @throws Failure USER_NOT_FOUND for null.
 */
export function changedUserOutcome(user: UserFacts | null, proposal: Proposal | null, platformId: string) {
  const { data, ...outcome } = userOutcome(user, { platformId });
  return { ...outcome, data: { ...data, proposal } };
}

/** @throws Failure PROPOSAL_CONFLICT if the user is not at the version that the caller saw. */
export async function requireVersion(
  userAdmin: Pick<UserAdmin, "show">,
  { platformId, externalUserId }: { platformId: string; externalUserId: string },
  version: string | undefined,
): Promise<void> {
  if (version === undefined) return;
  const user = await userAdmin.show(platformId, { externalUserId });
  if (!user || user.version === version) return;
  const message = "The user has changed. Read the user again.";
  throw new Failure("PROPOSAL_CONFLICT", { violations: [{ path: ["version"], rule: "changed", message }] });
}
