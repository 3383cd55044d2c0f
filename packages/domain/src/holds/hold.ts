import * as z from "zod";
import { externalUserId } from "../identity/identifier.ts";
import { format } from "../input/format.ts";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { userFacts } from "../users/user.ts";

export const holdId = z
  .stringFormat("hold-id", idPattern(80))
  .meta({ description: "The hold's id, such as hold_…" });

/** Why a hold exists: a case that is described elsewhere. The pattern leaves no room for names and addresses. */
export const holdReference = format("hold-reference", {
  pattern: "^[A-Za-z0-9][A-Za-z0-9._\\/:#\\-]*$",
  minLength: 1,
  maxLength: 100,
  help:
    "The number of the case, such as HKMA-2027/118: up to 100 letters, digits and . _ / : # - without spaces. " +
    "It is stored unencrypted, so it must not contain personal data.",
});

/** A legal hold of a user or of one of their records: nothing that it covers is erased or swept while it is active. */
export const legalHold = z
  .object({
    holdId,
    externalUserId,
    kycRecordId: z.string().nullable().meta({ description: "The held record; null for a hold of the user." }),
    reference: z.string(),
    active: z.boolean().meta({ description: "False if the hold was lifted, or if its time is over." }),
    until: moment.nullable().meta({ description: "When the hold ends; null if only a lift ends it." }),
    placedBy: z.string(),
    placedAt: moment,
    liftedBy: z.string().nullable(),
    liftedAt: moment.nullable(),
    erasure: userFacts.shape.erasure.meta({
      description: "The user's erasure: `requested` waits for the hold, `erased` was before it.",
    }),
  })
  .meta({ id: "LegalHold" });
export type LegalHold = z.output<typeof legalHold>;
