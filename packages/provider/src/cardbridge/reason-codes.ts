import type { KycReasonCode, RestrictedReason } from "@cardbridge/domain";

/** The provider's reasons that callers may see (docs/contribute/provider-contract.md), with the service's codes. */
export const reasonCodes: ReadonlyMap<unknown, KycReasonCode> = new Map([
  ["document_unreadable", "DOCUMENT_UNREADABLE"],
  ["document_expired", "DOCUMENT_EXPIRED"],
  ["document_unsupported", "DOCUMENT_UNSUPPORTED"],
  ["document_mismatch", "DOCUMENT_MISMATCH"],
  ["selfie_unreadable", "SELFIE_UNREADABLE"],
  ["selfie_mismatch", "SELFIE_MISMATCH"],
  ["name_mismatch", "NAME_MISMATCH"],
  ["birth_date_mismatch", "BIRTHDAY_MISMATCH"],
  ["address_mismatch", "ADDRESS_MISMATCH"],
  ["supporting_document_missing", "SUPPORTING_DOCUMENT_MISSING"],
  ["supporting_document_insufficient", "SUPPORTING_DOCUMENT_INSUFFICIENT"],
  ["supporting_document_outdated", "SUPPORTING_DOCUMENT_OUTDATED"],
  ["file_unreachable", "FILE_UNREACHABLE"],
  ["file_type_unsupported", "FILE_TYPE_UNSUPPORTED"],
  ["under_age", "UNDER_AGE"],
  ["country_unsupported", "COUNTRY_UNSUPPORTED"],
]);

/** The provider's reasons that only compliance may see. */
export const restrictedCodes: ReadonlyMap<unknown, RestrictedReason> = new Map([
  ["watch_list_match", "WATCH_LIST_MATCH"],
  ["sanctions_match", "SANCTIONS_MATCH"],
  ["fraud_suspected", "FRAUD_SUSPECTED"],
]);

/** The fields of the provider's request, with the JSON Pointers of the matching submission fields. */
const fields: ReadonlyMap<string, string> = new Map([
  ["applicant.email", "/email"],
  ["applicant.fullName", "/name"],
  ["applicant.birthDate", "/birthday"],
  ["applicant.gender", "/gender"],
  ["applicant.nationality", "/nationality"],
  ["applicant.phone.countryCode", "/phoneCountryCode"],
  ["applicant.phone.number", "/phoneNumber"],
  ["applicant.address", "/contactAddress"],
  ["applicant.annualIncome", "/annualIncome"],
  ["applicant.occupation", "/occupation"],
  ["applicant.position", "/position"],
  ["document.type", "/documentType"],
  ["document.number", "/documentNumber"],
  ["document.country", "/documentCountry"],
  ["document.expiryDate", "/documentExpiryDate"],
  ["document.permanentlyValid", "/documentPermanentlyValid"],
  ["document.frontImageUrl", "/frontImageUrl"],
  ["document.backImageUrl", "/backImageUrl"],
  ["document.selfieImageUrl", "/selfieImageUrl"],
  ["supportingDocuments", "/supportingDocuments"],
]);

const itemNames: Readonly<Record<string, string>> = { type: "documentType", fileUrl: "fileUrl" };

/** The JSON Pointer of a field of the provider's request; null for anything else. */
export function fieldPointer(name: unknown): string | null {
  if (typeof name !== "string") return null;
  const [, index, item] = /^supportingDocuments\[([0-9])\](?:\.(type|fileUrl))?$/.exec(name) ?? [];
  if (index === undefined) return fields.get(name) ?? null;
  return `/supportingDocuments/${index}${item === undefined ? "" : `/${itemNames[item]}`}`;
}
