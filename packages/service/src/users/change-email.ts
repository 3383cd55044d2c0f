import { changeEmailInput, Failure, userId } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "./example.ts";

/** Changes a user's e-mail (an extension, gap G17). */
export const changeUserEmail = defineOperation({
  ...forPlatforms,
  id: "users.changeEmail",
  kind: "write",
  rest: { method: "post", path: "/users/email", tag: "Users" },
  summary: "Change a user's e-mail",
  description:
    "Replaces the e-mail of the user with this memberId, regardless of the state of their KYC. The user's id, cards " +
    "and submitted records stay unchanged. The service refuses the e-mail of another user unless their latest " +
    "submission was refused or rejected, none was ever approved, and they were not imported. The other user then has " +
    "no e-mail. Repeating a call is safe.",
  documented: false,
  scopes: ["users:write"],
  input: changeEmailInput,
  rules: [],
  output: userId,
  example: {
    input: { memberId: "erin", email: "erin.new@example.com" },
    output: { externalUserId: exampleUserReference.externalUserId },
  },
  errors: ["USER_NOT_FOUND", "USER_IDENTITY_CONFLICT", "USER_ERASURE_PENDING"],
  // The repository audits both users in the transaction of the change.
  audit: ["USER_NOT_FOUND", "USER_IDENTITY_CONFLICT", "USER_ERASURE_PENDING"],

  async run({ users }, call, names) {
    const user = await users.changeEmail(call.platformId, names, originOf(call));
    if (!user) throw new Failure("USER_NOT_FOUND");
    return { data: user };
  },
});
