import * as z from "zod";
import { identifierFields, type OneIdentifier } from "../identity/identifier.ts";
import { narrowInput } from "../input/narrow-input.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { readingFields } from "./reading.ts";
import { explanationFields, kycExplanation } from "./reasons.ts";
import { resolutions } from "./record.ts";
import { kycRecordId } from "./record-id.ts";
import { codeOf, explain, kycResult, resultCodes, statusOf } from "./result.ts";
import { kycStatus, kycSubStatus } from "./status.ts";

/** Parameters for a user's latest KYC result: the two identifiers of the card list (an extension). */
export const kycLookupQuery = narrowInput<OneIdentifier>()(
  z.object(identifierFields).meta({ id: "KycLookupQuery" }),
);

/** Parameters for one KYC record with its history (an extension). */
export const kycHistoryQuery = z
  .object({
    kycRecordId,
  })
  .meta({ id: "KycHistoryQuery" });

/** One change of a record, as operators see it. */
export const kycChange = z.object({
  resolution: z.enum(resolutions),
  status: kycStatus.nullable().meta({ description: "The unified status after this change." }),
  subStatus: kycSubStatus.nullable().meta({ description: "The provider's raw status after this change." }),
  source: z.enum(["submission", "provider", "event", "person", "restored"]).meta({
    description:
      "The source of the change: the submission, the provider's response, the provider's event, an operator, or the " +
      "provider's list after a restore.",
  }),
  observedAt: z.iso
    .datetime()
    .meta({ description: "When the service received the change; RFC 3339, in UTC." }),
  explanation: kycExplanation
    .nullable()
    .meta({ description: "Why the provider refused or rejected the submission." }),
});
export type KycChange = z.output<typeof kycChange>;

/** One change of a record, as callers see it. */
export const kycHistoryEntry = kycChange
  .omit({ resolution: true, explanation: true })
  .extend({
    code: extensibleEnum(resultCodes).meta({
      description: "The code of a response after this change; KYC_REFUSED marks a refusal.",
    }),
    ...explanationFields,
  })
  .meta({ id: "KycHistoryEntry" });
export type KycHistoryEntry = z.output<typeof kycHistoryEntry>;

/** Converts a change into its entry. */
export function toKycHistoryEntry({ resolution, explanation, ...change }: KycChange): KycHistoryEntry {
  const status = statusOf({ resolution, status: change.status });
  return { code: codeOf[resolution], ...change, status, ...explain({ resolution, status, explanation }) };
}

/** A record's result with its user and its history, oldest first. */
export const kycHistory = z
  .object({
    ...kycResult.shape,
    memberId: z
      .string()
      .nullable()
      .meta({ description: "The platform's id of the user; null after the user's erasure." }),
    ...readingFields,
    history: z.array(kycHistoryEntry).meta({ description: "The changes of the record, oldest first." }),
  })
  .meta({ id: "KycHistory" });
