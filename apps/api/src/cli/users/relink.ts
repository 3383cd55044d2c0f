import type { UserFacts } from "@cardbridge/domain";
import type { Report } from "../report.ts";

/** That a user has other names, which are not said again. */
export function relinkReport(user: UserFacts, given: { memberId?: unknown; email?: unknown }): Report {
  const changed = [
    ...(given.memberId === undefined ? [] : ["member id"]),
    ...(given.email === undefined ? [] : ["e-mail"]),
  ];
  const text = `${user.externalUserId} has the ${changed.join(" and the ")} that you gave, and no other.`;
  return { document: user, text };
}
