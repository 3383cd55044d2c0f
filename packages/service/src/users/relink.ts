import { changedUser, type Policies, relinkUserInput, someNewName } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { propose } from "../operation/propose.ts";
import { exampleUser, exampleUserReference } from "./example.ts";
import { changedUserOutcome, requireVersion } from "./find.ts";

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
    // The repository audits a proposal in its transaction.
    audit: [
      ...(fourEyes ? [] : (["done"] as const)),
      "PLATFORM_NOT_FOUND",
      "USER_NOT_FOUND",
      "USER_IDENTITY_CONFLICT",
    ],

    async run(ports, call, { platformId, externalUserId, version, note, ...names }) {
      const { userAdmin } = ports;
      if (fourEyes) {
        const act = { kind: "relink" as const, platformId, externalUserId, names };
        const proposal = await propose(ports, call, { act, version, note });
        return changedUserOutcome(await userAdmin.show(platformId, { externalUserId }), proposal, platformId);
      }
      await requireVersion(userAdmin, { platformId, externalUserId }, version);
      return changedUserOutcome(await userAdmin.relink(platformId, externalUserId, names), null, platformId);
    },
  });
