import type { UserIdentifier } from "@cardbridge/domain";

/** The statement for whichever of a user's two names is given; both take its blind index as `name` (gap G17). */
export function byName<T>(
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: T; byMemberId: T },
): T {
  return "email" in identifier ? byEmail : byMemberId;
}
