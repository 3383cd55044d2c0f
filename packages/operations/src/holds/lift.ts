import { Failure, holdReferenceInput, legalHold } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUser } from "../users/example.ts";
import { requirePlatform } from "../users/find.ts";
import { exampleHold } from "./example.ts";
import { holdOutcome } from "./place.ts";

/** Lifts a legal hold (gap G39). */
export const liftHold = defineOperation({
  ...forOperators("ops.compliance"),
  id: "holds.lift",
  kind: "write",
  summary: "Lift a legal hold",
  description:
    "Lifts a legal hold permanently. An erasure that waits for it, and no other hold, continues within two minutes.",
  input: holdReferenceInput,
  rules: [],
  output: legalHold,
  example: {
    input: { platformId: exampleUser.platformId, holdId: exampleHold.holdId },
    output: { ...exampleHold, active: false, liftedBy: "claim:bob", liftedAt: "2027-06-30T12:00:00.000Z" },
  },
  errors: ["PLATFORM_NOT_FOUND", "HOLD_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "HOLD_NOT_FOUND"],

  async run({ platforms, holds }, call, { platformId, holdId }) {
    await requirePlatform(platforms, platformId);
    const lifted = await holds.lift(platformId, holdId, actorOf(call));
    if (!lifted) throw new Failure("HOLD_NOT_FOUND", { audit: { platformId } });
    return holdOutcome(lifted, platformId);
  },
});
