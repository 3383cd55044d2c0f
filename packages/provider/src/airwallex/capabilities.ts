import type { ProviderCapabilities } from "@cardbridge/domain";
import { addressRule } from "./addresses.ts";
import { nameRule } from "./names.ts";

const identification = "individual.identification";
const noPlace = (what: string) => ({
  support: "not carried" as const,
  loss: `The provider receives no ${what}.`,
});

/** The fields of Airwallex's model of a new cardholder (API version 2025-06-30). */
export const airwallexCapabilities: ProviderCapabilities = {
  fileDelivery: "bytes",
  // The documentation defines the size limit of the File Service but no types; WebP support is uncertain.
  files: { types: ["image/jpeg", "image/png", "application/pdf"], maxBytes: 20_000_000 },
  fields: {
    email: { support: "carried", place: "email" },
    name: {
      support: "carried with loss",
      place: "individual.name",
      loss: "The provider receives the last word as last_name, and the words before it as first_name.",
    },
    birthday: { support: "carried", place: "individual.date_of_birth" },
    documentType: { support: "carried", place: `${identification}.type` },
    documentNumber: { support: "carried", place: `${identification}.number` },
    documentCountry: { support: "carried", place: `${identification}.country` },
    documentExpiryDate: { support: "carried", place: `${identification}.expiry_date` },
    documentPermanentlyValid: {
      support: "not carried",
      loss: "The provider supports only documents with an expiry date.",
      refused: true,
    },
    frontImageUrl: { support: "carried", place: `${identification}.document_front_file_id` },
    backImageUrl: { support: "carried", place: `${identification}.document_back_file_id` },
    selfieImageUrl: noPlace("selfie"),
    phoneCountryCode: { support: "carried", place: "mobile_number" },
    phoneNumber: { support: "carried", place: "mobile_number" },
    gender: { support: "carried", place: `${identification}.gender` },
    annualIncome: noPlace("income"),
    occupation: noPlace("occupation"),
    position: noPlace("position"),
    nationality: { support: "carried", place: "individual.nationality" },
    contactAddress: {
      support: "carried with loss",
      place: "individual.address",
      loss: "The provider receives the parts between commas and line breaks: line1, line2, city, postcode and country.",
    },
    "supportingDocuments.documentType": noPlace("supporting documents: it requests them itself"),
    "supportingDocuments.fileUrl": noPlace("supporting documents: it requests them itself"),
  },
  rules: [nameRule, addressRule],
};
