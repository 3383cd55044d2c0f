import * as z from "zod";
import { externalUserId } from "../identity/identifier.ts";
import { moment } from "../input/formats.ts";
import { type ExactlyOne, narrowInput } from "../input/narrow-input.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";
import type { RawInput, Rule } from "../input/rule.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { platformId } from "../platforms/platform.ts";
import { proposedFields, proposedResult } from "../proposals/proposal.ts";
import { holdId, holdReference, legalHold } from "./hold.ts";

type Held = ExactlyOne<{ externalUserId: string; kycRecordId: string }>;

export const placeHoldInput = narrowInput<Held>()(
  z.object({
    platformId,
    externalUserId: externalUserId.optional(),
    kycRecordId: kycRecordId.optional(),
    reference: holdReference,
    until: moment.nullable().optional().meta({
      description: "When the hold ends by itself. Without it, or with null, only a lift ends it.",
    }),
  }),
);

const holdReferenceInput = z.object({ platformId, holdId });

export const liftHoldInput = holdReferenceInput.extend({ note: proposedFields.note });

/** A lifted hold, or the hold with the proposal to lift it. */
export const liftedHold = legalHold.extend(proposedResult).meta({ id: "LiftedHold" });

export const holdListQuery = z.object({
  platformId,
  externalUserId: externalUserId.optional(),
  active: z.literal(true).optional().meta({ description: "Lists only active holds." }),
  limit: listLimit(200),
});

export const holdPage = z.object({ holds: z.array(legalHold), more: moreThanLimit }).meta({ id: "HoldPage" });

/** A hold covers a user or a record. */
export const exactlyOneHeld: Rule = {
  id: "exactly-one-held",
  section: "G39",
  description: "Send exactly one of externalUserId and kycRecordId.",
  check({ externalUserId, kycRecordId }) {
    if ((externalUserId === undefined) !== (kycRecordId === undefined)) return [];
    const message = "Send the externalUserId of the user, or the kycRecordId of the record.";
    return [{ path: ["externalUserId"], rule: "exactly-one-held", message }];
  },
  schema: {},
};

/** A new hold must not be over already. */
export const endsLater = (now: () => Date): Rule => ({
  id: "ends-later",
  section: "G39",
  description: "until is in the future.",
  check: ({ until }: RawInput) =>
    typeof until === "string" && Date.parse(until) <= now().getTime()
      ? [{ path: ["until"], rule: "ends-later", message: "Send a time in the future." }]
      : [],
  schema: {},
});
