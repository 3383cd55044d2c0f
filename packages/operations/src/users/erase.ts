import { userFacts, userReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUser, exampleUserReference } from "./example.ts";
import { requirePlatform, userOutcome } from "./find.ts";

/** Requests a user's erasure (gap G26). */
export const eraseUser = defineOperation({
  ...forOperators("ops.users.write"),
  recentSignIn: true,
  id: "users.erase",
  kind: "write",
  summary: "Erase a user",
  description:
    "Requests a user's irreversible erasure. A worker erases the user within two minutes after all their records are " +
    "resolved and no legal hold covers the user (`held`). Until then the service refuses new submissions.",
  input: userReference,
  rules: [],
  output: userFacts,
  example: { input: exampleUserReference, output: { ...exampleUser, erasure: "requested" } },
  errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run({ platforms, userAdmin, erasures }, _call, { platformId, externalUserId }) {
    await requirePlatform(platforms, platformId);
    const requested = await erasures.request(platformId, externalUserId);
    const user = requested ? await userAdmin.show(platformId, { externalUserId }) : null;
    return userOutcome(user, { platformId });
  },
});
