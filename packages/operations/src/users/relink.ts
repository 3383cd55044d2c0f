import { relinkUserInput, someNewName, userFacts } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUser, exampleUserReference } from "./example.ts";
import { requirePlatform, userOutcome } from "./find.ts";

/** Corrects a user's e-mail or member id (gap G17). */
export const relinkUser = defineOperation({
  ...forOperators("ops.users.write"),
  id: "users.relink",
  kind: "write",
  summary: "Correct a user's identifiers",
  description:
    "Replaces a user's e-mail, member id, or both. The user's id, cards and submitted records stay unchanged. The " +
    "service refuses an identifier that another user has.",
  input: relinkUserInput,
  rules: [someNewName],
  output: userFacts,
  example: { input: { ...exampleUserReference, email: "erin@example.com" }, output: exampleUser },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "USER_IDENTITY_CONFLICT"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "USER_IDENTITY_CONFLICT"],

  async run({ platforms, userAdmin }, _call, { platformId, externalUserId, ...names }) {
    await requirePlatform(platforms, platformId);
    return userOutcome(await userAdmin.relink(platformId, externalUserId, names), { platformId });
  },
});
