import { importedUsers, importUsersInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "./example.ts";

/** Imports one batch of a platform's existing users. */
export const importUsers = defineOperation({
  ...forOperators("ops.users.write"),
  id: "users.import",
  kind: "write",
  summary: "Import users",
  description:
    "Imports up to 200 users of a platform in one transaction. Existing users stay unchanged. Repeating a batch is " +
    "safe.",
  input: importUsersInput,
  rules: [],
  output: importedUsers,
  example: {
    input: {
      platformId: exampleUserReference.platformId,
      users: [{ memberId: "erin", email: "erin@example.com" }],
    },
    output: { outcomes: [{ outcome: "created" }] },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  // The repository audits each new user in the transaction of the import.
  audit: ["PLATFORM_NOT_FOUND"],

  async run({ userAdmin, ids }, call, { platformId, users }) {
    const generated = users.map((user) => ({ ...user, generatedId: ids.externalUserId() }));
    const outcomes = await userAdmin.import(platformId, generated, originOf(call));
    return { data: { outcomes }, platformId };
  },
});
