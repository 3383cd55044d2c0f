import { exactlyOneSearched, findUsersQuery, foundUsers, toIdentifier } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleUser } from "./example.ts";

const { records: _records, version: _version, ...found } = exampleUser;

/** Finds the users with an exact identifier on all platforms that the caller may access. */
export const findUsers = defineOperation({
  ...forOperators("ops.users.read"),
  reach: "platforms",
  id: "users.find",
  kind: "read",
  summary: "Find users",
  description:
    "Finds the users with this e-mail, member id, externalUserId or card account on the platforms that the caller may " +
    "access, at most 200, without personal data.",
  input: findUsersQuery,
  rules: [exactlyOneSearched],
  output: foundUsers,
  example: {
    input: { email: "alice@example.com" },
    output: { users: [{ ...found, platformName: "Example Ltd" }] },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: ["done"],

  async run({ userAdmin }, call, { platformIds, externalUserId, cardAccountId, ...names }) {
    const name =
      externalUserId !== undefined
        ? { externalUserId }
        : cardAccountId !== undefined
          ? { cardAccountId }
          : toIdentifier(names);
    const users = await userAdmin.find(namedPlatforms(call, platformIds), name);
    const [only, ...others] = users;
    return {
      data: { users },
      ...(only && others.length === 0 && { subject: only.externalUserId, platformId: only.platformId }),
    };
  },
});
