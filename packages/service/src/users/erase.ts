import { changedUser, eraseUserInput, type Policies } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { propose } from "../operation/propose.ts";
import { exampleUser, exampleUserReference } from "./example.ts";
import { changedUserOutcome, requireVersion } from "./find.ts";

/** Requests a user's erasure (gap G26). */
export const eraseUser = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.users.write"),
    recentSignIn: true,
    id: "users.erase",
    kind: "write",
    summary: "Erase a user",
    description:
      "Requests a user's irreversible erasure. A worker erases the user within two minutes after all their records are " +
      "resolved and no legal hold covers the user (`held`). Until then the service refuses new submissions. The erasure is " +
      "only proposed, and another person confirms it, unless FOUR_EYES is off.",
    input: eraseUserInput,
    rules: [],
    output: changedUser,
    example: {
      input: exampleUserReference,
      output: { ...exampleUser, erasure: "requested", proposal: null },
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "PROPOSAL_CONFLICT"],
    // The repository audits a proposal in its transaction.
    audit: [...(fourEyes ? [] : (["done"] as const)), "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

    async run(ports, call, { platformId, externalUserId, version, note }) {
      const { userAdmin, erasures } = ports;
      if (fourEyes) {
        const act = { kind: "erase" as const, platformId, externalUserId };
        const proposal = await propose(ports, call, { act, version, note });
        return changedUserOutcome(await userAdmin.show(platformId, { externalUserId }), proposal, platformId);
      }
      await requireVersion(userAdmin, { platformId, externalUserId }, version);
      const requested = await erasures.request(platformId, externalUserId);
      const user = requested ? await userAdmin.show(platformId, { externalUserId }) : null;
      return changedUserOutcome(user, null, platformId);
    },
  });
