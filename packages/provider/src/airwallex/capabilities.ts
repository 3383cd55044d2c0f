import type { ProviderCapabilities } from "@cardbridge/domain";
import { addressRule } from "./addresses.ts";
import { countryRule } from "./countries.ts";
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
      loss: "The provider receives the parts of the address, with a state in US, CA and AU only.",
    },
    "supportingDocuments.documentType": noPlace("supporting documents: it requests them itself"),
    "supportingDocuments.fileUrl": noPlace("supporting documents: it requests them itself"),
  },
  rules: [nameRule, countryRule, addressRule],
  assumptions: [
    "A postcode is required in every country. Hong Kong has none; Airwallex's examples send 999077.",
    "`state` is needed in US, CA and AU, as the code of ISO 3166-2 without the country, such as CA. Airwallex's examples " +
      "have it; no page says where it is required.",
    "`cardholder_agreement_terms_consent_obtained`, `paperless_notification_consent_obtained` and " +
      "`privacy_policy_terms_consent_obtained` are for cardholders in Canada only, and are not sent: a submission says " +
      "nothing about these consents.",
    "`individual.employers` is optional, and is not sent.",
    "`mobile_number` is unique in the account. Airwallex's page of error codes says so only for a cardholder without an " +
      "e-mail address; its error message says it for all.",
    "`express_consent_obtained` is always `yes`: the platform has to obtain this consent.",
  ],
};
