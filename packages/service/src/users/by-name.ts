import type { UserIdentifier } from "@cardbridge/domain";

/** Selects the statement for the given kind of name. Both statements take its blind index as `name`. */
export function byName<T>(
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: T; byMemberId: T },
): T {
  return "email" in identifier ? byEmail : byMemberId;
}
