import type { NewNames, UserName, UserNames } from "@cardbridge/domain";
import type { Ports } from "../../src/index.ts";
import { changeUserEmail } from "../../src/users/change-email.ts";
import { eraseDueUsers, expireUsers, requestErasure, sweepUsers } from "../../src/users/erasures.ts";
import { findUsers } from "../../src/users/find.ts";
import { hasUser } from "../../src/users/has.ts";
import { importUsers } from "../../src/users/import.ts";
import { relinkUser } from "../../src/users/relink.ts";
import { showUser } from "../../src/users/show.ts";
import { callOf, operatorCall, personCall, toNull } from "./calls.ts";

/** A platform's users by their names and ids; null where there is no such user. */
export const usersOn = (ports: Ports) => ({
  ...ports.users,
  has: (platformId: string, externalUserId: string) => hasUser(ports.database, platformId, externalUserId),
  changeEmail: (platformId: string, names: UserNames) =>
    changeUserEmail
      .execute(ports, callOf("platform", { platformId, scopes: ["users:write"] }), names)
      .then(({ data }) => data, toNull),
});

/** Administers users by the operations without four eyes; null where there is no such user. */
export function administering(ports: Ports) {
  const relink = relinkUser({ fourEyes: false });
  return {
    find: (platforms: "all" | string[], name: UserName | { cardAccountId: string }) =>
      findUsers
        .execute(ports, personCall(["ops.users.read"], { platforms }), { ...name } as UserName)
        .then(({ data }) => data.users),
    show: (platformId: string, name: UserName) =>
      showUser.execute(ports, operatorCall, { platformId, ...name }).then(({ data }) => data, toNull),
    relink: (platformId: string, externalUserId: string, names: NewNames) =>
      relink
        .execute(ports, operatorCall, { platformId, externalUserId, ...names })
        .then(({ data }) => data, toNull),
    import: (platformId: string, users: (UserNames & { externalUserId?: string | undefined })[]) =>
      importUsers.execute(ports, operatorCall, { platformId, users }).then(({ data }) => data.outcomes),
  };
}

/** Erasures of users, and the worker's passes. */
export const erasing = (ports: Pick<Ports, "database" | "keySet" | "blobs">) => ({
  request: (platformId: string, externalUserId: string) => requestErasure(ports, platformId, externalUserId),
  requestExpired: (days: number, limit: number) => expireUsers(ports, days, limit),
  eraseDue: (limit: number) => eraseDueUsers(ports, limit),
  sweep: (days: number, limit: number) => sweepUsers(ports, days, limit),
});
