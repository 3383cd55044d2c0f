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

/** What a platform can tell the person for each reason. Pages show these sentences; responses do not have them. */
export const personMessages = {
  DOCUMENT_UNREADABLE:
    "We could not read your document. Take new photos that are sharp and show the whole document.",
  DOCUMENT_EXPIRED: "Your document has expired. Use a document that is still valid.",
  DOCUMENT_UNSUPPORTED: "We cannot accept this kind of document. Use another one.",
  DOCUMENT_MISMATCH:
    "Your document shows other data than you entered. Check the type, the number, the country and the expiry date.",
  SELFIE_UNREADABLE:
    "We could not see your face. Take a new selfie in good light that shows your whole face.",
  SELFIE_MISMATCH: "Your selfie does not match your document. Take a new selfie, or use your own document.",
  NAME_MISMATCH:
    "Your name differs from the one on your document. Enter it exactly as your document shows it.",
  BIRTHDAY_MISMATCH: "Your date of birth differs from the one on your document. Check it.",
  ADDRESS_MISMATCH:
    "Your address differs from the one on your proof of address. Enter it as the proof shows it.",
  SUPPORTING_DOCUMENT_MISSING: "Add a proof of your address, such as a utility bill or a bank statement.",
  SUPPORTING_DOCUMENT_INSUFFICIENT:
    "Add another proof of your address that shows your name and your address.",
  SUPPORTING_DOCUMENT_OUTDATED: "Your proof of address is too old. Add a newer one.",
  FILE_UNREACHABLE: "One of your files did not arrive. Add it again.",
  FILE_TYPE_UNSUPPORTED: "Add your photos as JPEG, PNG or WebP, and your proof of address also as PDF.",
  UNDER_AGE: "You are too young for this card.",
  COUNTRY_UNSUPPORTED: "This card is not available in your country.",
  OTHER: "We could not confirm your data. Check everything that you entered, and all photos.",
} as const satisfies Record<KycReasonCode, string>;

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
    description:
      "Whether another submission of this user will not help. Present whenever reasons is, also if that is empty.",
  }),
};

/** Converts an explanation into the fields of a result; null if the provider gave none. */
export function showExplanation(explanation: KycExplanation | null) {
  const { reasons, final } = explanation ?? { reasons: [], final: false };
  return { reasons: reasons.map((reason) => ({ ...reason, message: reasonMessages[reason.code] })), final };
}
