import { exactlyOneName, toIdentifier, userFacts, userQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUser, exampleUserReference, readUser } from "./user.ts";

/** Shows a user's ids and statuses. The input has one of the platform's identifiers or the externalUserId. */
export const showUser = defineOperation({
  ...forOperators("ops.users.read"),
  id: "users.show",
  kind: "read",
  summary: "Show a user",
  description: "Shows a user's records and erasure state: ids and statuses, without personal data.",
  input: userQuery,
  rules: [exactlyOneName],
  output: userFacts,
  example: { input: exampleUserReference, output: exampleUser },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, _call, { platformId, externalUserId, ...names }) {
    const name = externalUserId === undefined ? toIdentifier(names) : { externalUserId };
    const data = await readUser(ports, platformId, name);
    return { data, subject: data.externalUserId };
  },
});
