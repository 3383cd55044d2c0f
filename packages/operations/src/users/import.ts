import { importedUsers, importUsersInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "./example.ts";
import { requirePlatform } from "./find.ts";

/** Imports one batch of users whom a platform had before. */
export const importUsers = defineOperation({
  ...forOperators,
  id: "users.import",
  kind: "mutation",
  summary: "Import users",
  description:
    "Imports up to 200 users of a platform, all or none of a batch. Existing users stay as they are, so a batch may " +
    "be sent again.",
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
  // The repository audits each new user in the transaction that creates them.
  audit: ["PLATFORM_NOT_FOUND"],

  async run({ platforms, userAdmin, ids }, call, { platformId, users }) {
    await requirePlatform(platforms, platformId);
    const minted = users.map((user) => ({ ...user, mintedId: ids.externalUserId() }));
    const outcomes = await userAdmin.import(platformId, minted, originOf(call, "users.import"));
    return { data: { outcomes }, platformId };
  },
});
