import { Failure, type LegalHold, liftedHold, liftHoldInput, type Policies } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { appendEntry } from "../operation/audit.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { ConfirmedAct } from "../proposals/acts.ts";
import { propose } from "../proposals/propose.ts";
import { exampleUser } from "../users/user.ts";
import { exampleHold, heldBy, selectHold } from "./hold.ts";

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

    async run(ports, call, { holdId, note }) {
      const { platformId } = call;
      const act = { kind: "liftHold" as const, holdId };
      const proposal = fourEyes ? await propose(ports, call, { act, note }) : null;
      const hold = await ports.database.asPlatform<LegalHold | undefined>(platformId, async (tx) => {
        // A lifted hold stays unchanged.
        if (!fourEyes) await tx.execute(sql`select lift_hold(${holdId}, ${actorOf(call)})`);
        return pipelineCommit([selectHold(tx, platformId, holdId)], ([rows]) => rows[0]);
      });
      if (!hold) throw new Failure("HOLD_NOT_FOUND");
      return { data: { ...hold, proposal }, subject: heldBy(hold) };
    },
  });

/** Lifts a hold as two persons decided, in the transaction of the confirmation, and audits it. */
export async function liftConfirmed(
  tx: Tx,
  _keys: PersonalDataKeys,
  { row: { platformId, holdId, kycRecordId, externalUserId }, by }: ConfirmedAct,
): Promise<null> {
  await tx.execute(sql`select lift_hold(${holdId}, ${by.actor})`);
  await appendEntry(tx, platformId, { ...by, subject: kycRecordId ?? externalUserId, outcome: "done" });
  return null;
}
