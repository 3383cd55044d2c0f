import {
  endsLater,
  exactlyOneHeld,
  Failure,
  type LegalHold,
  legalHold,
  type Policies,
  placeHoldInput,
} from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "../users/example.ts";
import { requirePlatform } from "../users/find.ts";
import { exampleHold } from "./example.ts";

/** Places a legal hold on a user or on a record (gap G39). */
export const placeHold = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.compliance"),
    id: "holds.place",
    kind: "write",
    summary: "Place a legal hold",
    description:
      "Places a legal hold on a user or on a record. While a hold is active, the user is not erased, and no record, " +
      "history or webhook delivery that it covers is swept. A requested erasure waits.",
    input: placeHoldInput,
    rules: [exactlyOneHeld, endsLater(now)],
    output: legalHold,
    example: {
      input: { ...exampleUserReference, reference: exampleHold.reference },
      output: exampleHold,
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
    audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],

    async run({ ids, platforms, holds }, call, { platformId, until = null, ...held }) {
      await requirePlatform(platforms, platformId);
      const hold = { ...held, until, holdId: ids.holdId(), placedBy: actorOf(call) };
      const placed = await holds.place(platformId, hold);
      if (placed) return holdOutcome(placed, platformId);
      const code = held.kycRecordId === undefined ? "USER_NOT_FOUND" : "KYC_RECORD_NOT_FOUND";
      throw new Failure(code, { audit: { platformId } });
    },
  });

/** The outcome for a hold. The audit's subject is what the hold covers. */
export function holdOutcome(hold: LegalHold, platformId: string) {
  return { data: hold, subject: hold.kycRecordId ?? hold.externalUserId, platformId };
}
