import { z } from "zod";
import * as v from "../common/vocabulary.js";

const text = (max: number) => z.string().trim().min(1).max(max).regex(v.withoutControls);
const country = z.string().regex(v.countryCode).toUpperCase();
const url = z.url({ protocol: /^https?$/ }).max(2048);

const fields = z.object({
  email: z.email().max(128),
  name: text(256),
  birthday: z.iso.date().refine((date) => !v.isInFuture(date), "A date of birth cannot be in the future."),
  documentType: z.enum(v.documentTypes),
  documentNumber: text(256),
  documentCountry: country,
  documentExpiryDate: z.iso.date().optional(),
  documentPermanentlyValid: z.literal(true).optional(),
  frontImageUrl: url,
  backImageUrl: url.optional(),
  selfieImageUrl: url,
  phoneCountryCode: z.string().regex(v.callingCode),
  phoneNumber: z.string().regex(v.phoneNumber),
  gender: z.enum(v.genders),
  annualIncome: z.enum(v.annualIncomes),
  occupation: text(256),
  position: text(256),
  nationality: country,
  contactAddress: text(512),
  supportingDocuments: z
    .array(z.object({ documentType: z.enum(v.supportingDocumentTypes), fileUrl: url }))
    .min(1)
    .max(10)
    .optional(),
  memberId: z.string().min(1).max(64).regex(v.withoutControls),
});

/** The body of a submission, with the rules between its fields. */
export const kycSubmission = fields.superRefine((body, context) => {
  const refuse = (path: keyof typeof body, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const dated = body.documentExpiryDate !== undefined;
  if (dated === (body.documentPermanentlyValid !== undefined)) {
    refuse("documentExpiryDate", "Send either documentExpiryDate or documentPermanentlyValid as true.");
  }
  if (v.twoSided.includes(body.documentType) && body.backImageUrl === undefined) {
    refuse("backImageUrl", "Required when documentType is id_card or driver_license.");
  }
  if (body.documentCountry !== "HK" && body.supportingDocuments === undefined) {
    refuse("supportingDocuments", "Required unless documentCountry is HK.");
  }
});
