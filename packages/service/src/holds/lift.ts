import { Failure, liftedHold, liftHoldInput, type Policies } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { propose } from "../operation/propose.ts";
import { exampleUser } from "../users/example.ts";
import { requirePlatform } from "../users/find.ts";
import { exampleHold } from "./example.ts";
import { holdOutcome } from "./place.ts";

/** Lifts a legal hold (gap G39). */
export const liftHold = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.compliance"),
    id: "holds.lift",
    kind: "write",
    summary: "Lift a legal hold",
    description:
      "Lifts a legal hold permanently. An erasure that waits for it, and no other hold, continues within two minutes. " +
      "The lift is only proposed, and another person confirms it, unless FOUR_EYES is off.",
    input: liftHoldInput,
    rules: [],
    output: liftedHold,
    example: {
      input: { platformId: exampleUser.platformId, holdId: exampleHold.holdId },
      output: {
        ...exampleHold,
        active: false,
        liftedBy: "claim:bob",
        liftedAt: "2027-06-30T12:00:00.000Z",
        proposal: null,
      },
    },
    errors: ["PLATFORM_NOT_FOUND", "HOLD_NOT_FOUND", "PROPOSAL_CONFLICT"],
    // The repository audits a proposal in its transaction.
    audit: [...(fourEyes ? [] : (["done"] as const)), "PLATFORM_NOT_FOUND", "HOLD_NOT_FOUND"],

    async run(ports, call, { platformId, holdId, note }) {
      const { platforms, holds } = ports;
      await requirePlatform(platforms, platformId);
      if (fourEyes) {
        const act = { kind: "liftHold" as const, platformId, holdId };
        const proposal = await propose(ports, call, "holds.lift", { act, note });
        const hold = await holds.find(platformId, holdId);
        if (!hold) throw new Failure("HOLD_NOT_FOUND", { audit: { platformId } });
        return { ...holdOutcome(hold, platformId), data: { ...hold, proposal } };
      }
      const lifted = await holds.lift(platformId, holdId, actorOf(call));
      if (!lifted) throw new Failure("HOLD_NOT_FOUND", { audit: { platformId } });
      return { ...holdOutcome(lifted, platformId), data: { ...lifted, proposal: null } };
    },
  });
