import { exactlyOneName, toIdentifier, userFacts, userQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUser, exampleUserReference } from "./example.ts";
import { requirePlatform, userOutcome } from "./find.ts";

/** Shows a user by ids and statuses, named as the platform names them (gap G17) or by our own id. */
export const showUser = defineOperation({
  ...forOperators,
  id: "users.show",
  kind: "query",
  summary: "Show a user",
  description: "Shows a user's records and whether the user is to be erased: ids and statuses, never a name.",
  input: userQuery,
  rules: [exactlyOneName],
  output: userFacts,
  example: { input: exampleUserReference, output: exampleUser },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run({ platforms, userAdmin }, _call, { platformId, externalUserId, ...names }) {
    await requirePlatform(platforms, platformId);
    const name = externalUserId === undefined ? toIdentifier(names) : { externalUserId };
    return userOutcome(await userAdmin.show(platformId, name), { platformId });
  },
});
