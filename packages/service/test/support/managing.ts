import { type Actor, Failure, type UserName } from "@cardbridge/domain";
import type { Ports } from "../../src/index.ts";
import { changeUserEmail } from "../../src/users/change-email.ts";
import { requestErasure } from "../../src/users/erase.ts";
import { eraseDueUsers, requestExpiredErasures, sweepUsers } from "../../src/users/erasures.ts";
import { importUsers } from "../../src/users/import.ts";
import { relinkUser } from "../../src/users/relink.ts";
import { readUser } from "../../src/users/user.ts";
import { callOf, operatorCall } from "./calls.ts";

/** What operators and workers do with users, by the operations without four eyes. Null where there is no such user. */
export function managing(ports: Ports) {
  const relink = relinkUser({ fourEyes: false });
  const of = (by: Partial<Actor>) => ({ ...operatorCall, ...by });
  return {
    userAdmin: {
      show: (platformId: string, names: Names) => readUser(ports, platformId, nameOf(names)).catch(toNull),
      relink: (platformId: string, externalUserId: string, names: Names) =>
        relink
          .execute(ports, operatorCall, { platformId, externalUserId, ...names })
          .then(({ data: { proposal: _none, ...user } }) => user, toNull),
      import: (platformId: string, users: readonly object[], by: Partial<Actor> = {}) =>
        importUsers.execute(ports, of(by), { platformId, users }).then(({ data }) => data.outcomes),
    },
    changeEmail: (platformId: string, names: Names, by: Partial<Actor> = {}) =>
      changeUserEmail
        .execute(ports, { ...callOf("platform", { platformId, scopes: ["users:write"] }), ...by }, names)
        .then(({ data }) => data, toNull),
    erasures: {
      request: (platformId: string, externalUserId: string) =>
        requestErasure(ports, platformId, externalUserId),
      requestExpired: (days: number, limit: number) => requestExpiredErasures(ports, days, limit),
      eraseDue: (limit: number) => eraseDueUsers(ports, limit),
      sweep: (days: number, limit: number) => sweepUsers(ports, days, limit),
    },
  };
}

interface Names {
  externalUserId?: string;
  email?: string;
  memberId?: string;
}

const nameOf = ({ externalUserId, email, memberId }: Names): UserName => {
  if (externalUserId !== undefined) return { externalUserId };
  return email === undefined ? { memberId: memberId ?? "" } : { email };
};

function toNull(error: unknown): null {
  if (error instanceof Failure && error.code === "USER_NOT_FOUND") return null;
  throw error;
}
