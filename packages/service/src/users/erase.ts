import { changedUser, eraseUserInput, Failure, type Policies } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import type { Act } from "../proposals/confirm.ts";
import { propose } from "../proposals/propose.ts";
import { erasureRequest, requestErasure } from "./erasures.ts";
import { changedUserOutcome, exampleUser, exampleUserReference, requireVersion } from "./user.ts";

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
    // `propose` audits a proposal in its transaction.
    audit: [...(fourEyes ? [] : (["done"] as const)), "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

    async run(ports, call, { platformId, externalUserId, version, note }) {
      const user = { platformId, externalUserId };
      if (fourEyes) {
        const act = { kind: "erase" as const, externalUserId };
        return changedUserOutcome(ports, user, await propose(ports, call, { act, version, note }));
      }
      await requireVersion(ports, user, version);
      if (!(await requestErasure(ports, platformId, externalUserId))) throw new Failure("USER_NOT_FOUND");
      return changedUserOutcome(ports, user, null);
    },
  });

/** Carries out a confirmed request of an erasure. */
export const carryOutErasure: Act = async (tx, _keys, { proposal, call }) => {
  const { platformId, externalUserId } = proposal;
  await erasureRequest(tx, platformId, externalUserId);
  await audit(tx, call, externalUserId);
};
