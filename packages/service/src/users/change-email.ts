import { changeEmailInput, decideEmailChange, Failure, type User, userId } from "@cardbridge/domain";
import { pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import { forPlatforms } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { auditMove, moveEmail } from "./change-names.ts";
import { readEmailOwner } from "./email-owner.ts";
import { lockUsers } from "./lock.ts";
import { retryOnIdentityRace } from "./retry-on-identity-race.ts";
import { exampleUserReference } from "./user.ts";

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
  // `run` audits both users in the transaction of the change.
  audit: ["USER_NOT_FOUND", "USER_IDENTITY_CONFLICT", "USER_ERASURE_PENDING"],

  async run({ database, personalDataKeys }, call, { memberId, email }) {
    const { platformId } = call;
    const keys = await personalDataKeys();
    const names = {
      memberIdIndex: blindIndex(keys, platformId, { memberId }),
      emailIndex: blindIndex(keys, platformId, { email }),
    };
    const changeOnce = () =>
      database.asPlatform<User>(platformId, async (tx) => {
        const { user, emailOwner } = await lockUsers(tx, platformId, names);
        if (!user) throw new Failure("USER_NOT_FOUND");
        const decision = decideEmailChange({
          user: { hasEmail: user.email === "same", erasureRequested: user.erasureRequested },
          emailOwner: emailOwner && (await readEmailOwner(tx, platformId, emailOwner)),
        });
        if (decision instanceof Failure) throw decision;
        if (decision === "change")
          await moveEmail(tx, keys, { platformId, email, from: emailOwner?.id, to: user.id });
        const audited = auditMove(tx, platformId, originOf(call), [emailOwner?.id, user.id]);
        return pipelineCommit(audited, () => ({ externalUserId: user.id }));
      });
    return { data: await retryOnIdentityRace(changeOnce) };
  },
});
