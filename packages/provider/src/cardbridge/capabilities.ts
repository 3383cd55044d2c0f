import type { ProviderCapabilities, SubmissionField } from "@cardbridge/domain";

/** The position of each submission field in the provider contract. */
const places: Record<SubmissionField, string> = {
  email: "applicant.email",
  name: "applicant.fullName",
  birthday: "applicant.birthDate",
  documentType: "document.type",
  documentNumber: "document.number",
  documentCountry: "document.country",
  documentExpiryDate: "document.expiryDate",
  documentPermanentlyValid: "document.permanentlyValid",
  frontImageUrl: "document.frontImageUrl",
  backImageUrl: "document.backImageUrl",
  selfieImageUrl: "document.selfieImageUrl",
  phoneCountryCode: "applicant.phone.countryCode",
  phoneNumber: "applicant.phone.number",
  gender: "applicant.gender",
  annualIncome: "applicant.annualIncome",
  occupation: "applicant.occupation",
  position: "applicant.position",
  nationality: "applicant.nationality",
  contactAddress: "applicant.address",
  "supportingDocuments.documentType": "supportingDocuments[].type",
  "supportingDocuments.fileUrl": "supportingDocuments[].fileUrl",
};

/** The provider contract carries every field and value, and its provider fetches files by URL. */
export const cardbridgeCapabilities: ProviderCapabilities = {
  fileDelivery: "url",
  fields: Object.fromEntries(
    Object.entries(places).map(([field, place]) => [field, { support: "carried", place }]),
  ) as ProviderCapabilities["fields"],
};
