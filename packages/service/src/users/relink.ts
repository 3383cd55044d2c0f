import { changedUser, Failure, type Policies, relinkUserInput, someNewName } from "@cardbridge/domain";
import { isUniqueViolation } from "../database/errors.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import type { Act } from "../proposals/confirm.ts";
import { propose } from "../proposals/propose.ts";
import { changeNames } from "./change-names.ts";
import { changedUserOutcome, exampleUser, exampleUserReference, requireVersion } from "./user.ts";

/** Corrects a user's e-mail or member id (gap G17). */
export const relinkUser = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.users.write"),
    id: "users.relink",
    kind: "write",
    summary: "Correct a user's identifiers",
    description:
      "Replaces a user's e-mail, member id, or both. The user's id, cards and submitted records stay unchanged. The " +
      "service refuses an identifier that another user has. The change is only proposed, and another person confirms it, " +
      "unless FOUR_EYES is off.",
    input: relinkUserInput,
    rules: [someNewName],
    output: changedUser,
    example: {
      input: { ...exampleUserReference, email: "erin@example.com" },
      output: { ...exampleUser, proposal: null },
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "USER_IDENTITY_CONFLICT", "PROPOSAL_CONFLICT"],
    // `propose` audits a proposal in its transaction.
    audit: [
      ...(fourEyes ? [] : (["done"] as const)),
      "PLATFORM_NOT_FOUND",
      "USER_NOT_FOUND",
      "USER_IDENTITY_CONFLICT",
    ],

    async run(ports, call, { platformId, externalUserId, version, note, ...names }) {
      const user = { platformId, externalUserId };
      if (fourEyes) {
        const act = { kind: "relink" as const, externalUserId, names };
        return changedUserOutcome(ports, user, await propose(ports, call, { act, version, note }));
      }
      await requireVersion(ports, user, version);
      const keys = await ports.personalDataKeys();
      const owner = { platformId, userId: externalUserId };
      const changed = ports.database.asPlatform(platformId, (tx) => changeNames(tx, keys, owner, names));
      const isChanged = await changed.catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new Failure("USER_IDENTITY_CONFLICT", { audit: { subject: externalUserId } });
      });
      if (!isChanged) throw new Failure("USER_NOT_FOUND");
      return changedUserOutcome(ports, user, null);
    },
  });

/** Carries out a confirmed relink. If another user has an identifier now, it violates a unique constraint. */
export const carryOutRelink: Act = async (tx, keys, { proposal, payload, call }) => {
  const { platformId, externalUserId } = proposal;
  await changeNames(tx, keys, { platformId, userId: externalUserId }, payload?.names ?? {});
  await audit(tx, call, externalUserId);
};
