import type { UserIdentifier } from "@cardbridge/domain";

/** The statement for the name that identifies the user; both take its blind index as `name`. */
export function byName<T>(
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: T; byMemberId: T },
): T {
  return "email" in identifier ? byEmail : byMemberId;
}
