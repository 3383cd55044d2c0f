import * as z from "zod";
import { extensibleEnum } from "../input/open-enum.ts";
import { kycSubmission, supportingDocument } from "./submission.ts";

/** Every reason of a refusal or a rejection, with what the user can change. A later version may add some (G23). */
export const reasonMessages = {
  DOCUMENT_UNREADABLE: "Send sharp and complete images of the document.",
  DOCUMENT_EXPIRED: "Send a document that has not expired.",
  DOCUMENT_UNSUPPORTED: "Send another kind of document.",
  DOCUMENT_MISMATCH: "Send the document's type, number, country and expiry date as the document shows them.",
  SELFIE_UNREADABLE: "Send a sharp selfie that shows the whole face.",
  SELFIE_MISMATCH: "Send a selfie of the person whom the document shows.",
  NAME_MISMATCH: "Send the name as the document shows it.",
  BIRTHDAY_MISMATCH: "Send the birthday as the document shows it.",
  ADDRESS_MISMATCH: "Send the address as the supporting document shows it.",
  SUPPORTING_DOCUMENT_MISSING: "Send a supporting document.",
  SUPPORTING_DOCUMENT_INSUFFICIENT: "Send another supporting document that shows the name and the address.",
  SUPPORTING_DOCUMENT_OUTDATED: "Send a newer supporting document.",
  FILE_UNREACHABLE: "Upload the file again and send its new URL.",
  FILE_TYPE_UNSUPPORTED: "Send an image as JPEG, PNG or WebP, or a supporting document also as PDF.",
  UNDER_AGE: "The user is too young for a card.",
  COUNTRY_UNSUPPORTED: "The provider does not serve users of this country.",
  OTHER: "Check all data and all files before another submission.",
} as const;

export type KycReasonCode = keyof typeof reasonMessages;
export const kycReasonCodes = Object.keys(reasonMessages) as [KycReasonCode, ...KycReasonCode[]];

/** Reasons that only compliance may see (G28). The database contains them; no output does. */
export const restrictedReasons = ["WATCH_LIST_MATCH", "SANCTIONS_MATCH", "FRAUD_SUSPECTED"] as const;
export type RestrictedReason = (typeof restrictedReasons)[number];

/** The maximum number of reasons in one verdict. */
export const maxReasons = 10;

const { memberId: _, supportingDocuments: __, ...singleFields } = kycSubmission.shape;
const fieldOf = (schema: object) => `(?:${Object.keys(schema).join("|")})`;

/** A JSON Pointer to a field that the provider receives, such as /supportingDocuments/0/fileUrl. */
const fieldPointer = new RegExp(
  `^/(?:${fieldOf(singleFields)}|supportingDocuments(?:/[0-9](?:/${fieldOf(supportingDocument.shape)})?)?)$`,
);

const field = z.string().regex(fieldPointer).nullable();

/** Why the provider refused or rejected a submission. */
export const kycExplanation = z.object({
  reasons: z.array(z.object({ code: z.enum(kycReasonCodes), field: field.default(null) })).max(maxReasons),
  /** Another submission of this user will not help. */
  final: z.boolean().default(false),
});
export type KycExplanation = z.output<typeof kycExplanation>;

/** A reason as callers see it. */
export const kycReason = z
  .object({
    code: extensibleEnum(kycReasonCodes).meta({ description: "The reason. Tolerate new values." }),
    field: field.meta({
      description:
        "A JSON Pointer to the submission's field that the reason is about; null if it is not a single field.",
    }),
    message: z.string().meta({ description: "The correction to make." }),
  })
  .meta({ id: "KycReason" });

/** The fields of a result or a history entry that explain a refusal or a rejection; absent for other states. */
export const explanationFields = {
  reasons: z
    .array(kycReason)
    .max(maxReasons)
    .optional()
    .meta({
      description:
        "Why the provider refused or rejected the submission; empty if it gave no reason. Only with the code " +
        "KYC_REFUSED or the status REJECTED.",
    }),
  final: z.boolean().optional().meta({
    description: "Whether another submission of this user will not help. Only together with reasons.",
  }),
};

/** Converts an explanation into the fields of a result; null if the provider gave none. */
export function showExplanation(explanation: KycExplanation | null) {
  const { reasons, final } = explanation ?? { reasons: [], final: false };
  return { reasons: reasons.map((reason) => ({ ...reason, message: reasonMessages[reason.code] })), final };
}
