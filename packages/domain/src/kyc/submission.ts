import * as z from "zod";
import * as f from "../input/formats.ts";
import { type ExactlyOne, narrowInput } from "../input/narrow-input.ts";

export const documentTypes = ["passport", "id_card", "driver_license"] as const;

const supportingDocumentTypes = [
  "UTILITY_BILL",
  "TENANCY_AGREEMENT",
  "ADDRESS_PROOF",
  "BANK_STATEMENT",
  "TRAVEL_PERMIT_FRONT",
  "TRAVEL_PERMIT_BACK",
  "PROOF_OF_VISIT",
] as const;

const annualIncomes = ["<20000", "20000-50000", "50000-200000", "200000-500000", ">500000"] as const;

export const supportingDocument = z
  .object({
    documentType: z.enum(supportingDocumentTypes).meta({ description: "The kind of the document." }),
    fileUrl: f.fileUrl.meta({ description: "URL of the uploaded document." }),
  })
  .meta({ id: "SupportingDocument" });

/**
 * The body of a KYC submission (interface, section 2.3); rules.ts defines the rules between its fields. Parsing drops
 * unknown fields, converts countries to upper case, and trims free text.
 */
export const kycSubmission = narrowInput<
  ExactlyOne<{ documentExpiryDate: string; documentPermanentlyValid: true }>
>()(
  z
    .object({
      email: f.email,
      name: f.shortText.meta({ description: "Full name." }),
      birthday: f.calendarDate.meta({
        description: "Date of birth, format yyyy-MM-dd; from 1900 on, not in the future.",
      }),
      documentType: z.enum(documentTypes).meta({ description: "The kind of the identity document." }),
      documentNumber: f.shortText.meta({ description: "Document number." }),
      documentCountry: f.countryCode.meta({ description: "Issuing country or region, two-letter code." }),
      documentExpiryDate: f.calendarDate
        .optional()
        .meta({ description: "Format yyyy-MM-dd. Send exactly one of this and documentPermanentlyValid." }),
      documentPermanentlyValid: z.boolean().optional().meta({
        description: "Only the value true is accepted. Omit this field if the document has an expiry date.",
      }),
      frontImageUrl: f.fileUrl.meta({ description: "URL of the uploaded front image of the document." }),
      backImageUrl: f.fileUrl
        .optional()
        .meta({ description: "URL of the uploaded back image. Required for id_card and driver_license." }),
      selfieImageUrl: f.fileUrl.meta({ description: "URL of the uploaded identity selfie." }),
      phoneCountryCode: f.callingCode,
      phoneNumber: f.phoneNumber,
      gender: z.enum(["male", "female"]).meta({ description: "Gender." }),
      annualIncome: z.enum(annualIncomes).meta({ description: "Annual income, as one of these ranges." }),
      occupation: f.shortText.meta({ description: "Occupation." }),
      position: f.shortText.meta({ description: "Position." }),
      nationality: f.countryCode.meta({ description: "Two-letter country or region code." }),
      contactAddress: f.freeText(512, { lines: true }).meta({ description: "Contact address." }),
      supportingDocuments: z
        .array(supportingDocument)
        .max(10)
        .transform((documents) => (documents.length > 0 ? documents : undefined))
        .optional()
        .meta({
          description: "1 to 10 items. Required for non-HK users. An empty list counts as absent.",
        }),
      memberId: f.memberId.meta({
        description:
          "Platform member ID. It identifies the user on the platform and is never sent to the card provider.",
      }),
    })
    .meta({ id: "KycSubmission" }),
);

export type KycSubmission = z.output<typeof kycSubmission>;
