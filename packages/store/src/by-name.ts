import { normalizeEmail, type UserIdentifier } from "@cardbridge/domain";

interface ByName<T> {
  execute(values: Record<string, unknown>): T;
}

/** Runs the statement for whichever of a user's two names is given; both take it as `name` (gap G17). */
export function byName<T>(
  platformId: string,
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: ByName<T>; byMemberId: ByName<T> },
): T {
  return "email" in identifier
    ? byEmail.execute({ platformId, name: normalizeEmail(identifier.email) })
    : byMemberId.execute({ platformId, name: identifier.memberId });
}
