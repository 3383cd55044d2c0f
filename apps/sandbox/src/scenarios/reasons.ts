import type { Submission } from "../wire.ts";

/** A reason of a refusal or a rejection, in the format of the contract. */
interface Reason {
  readonly code: string;
  /** The path of a field in the request, such as `document.frontImageUrl`. */
  readonly field?: string;
}

/** The reasons of the contract, each with the field that its tag names. The tag is the code with hyphens. */
const named: readonly Reason[] = [
  { code: "document_unreadable", field: "document.frontImageUrl" },
  { code: "document_expired", field: "document.expiryDate" },
  { code: "document_unsupported", field: "document.type" },
  { code: "document_mismatch", field: "document.number" },
  { code: "selfie_unreadable", field: "document.selfieImageUrl" },
  { code: "selfie_mismatch", field: "document.selfieImageUrl" },
  { code: "name_mismatch", field: "applicant.fullName" },
  { code: "birth_date_mismatch", field: "applicant.birthDate" },
  { code: "address_mismatch", field: "applicant.address" },
  { code: "supporting_document_missing", field: "supportingDocuments" },
  { code: "supporting_document_insufficient", field: "supportingDocuments[0]" },
  { code: "supporting_document_outdated", field: "supportingDocuments[0].fileUrl" },
  { code: "file_unreachable", field: "document.frontImageUrl" },
  { code: "file_type_unsupported", field: "document.frontImageUrl" },
  { code: "under_age", field: "applicant.birthDate" },
  { code: "country_unsupported", field: "document.country" },
  { code: "watch_list_match" },
  { code: "sanctions_match" },
  { code: "fraud_suspected" },
];

/** The reason with this code, and the field that its tag names. An unknown code has no field. */
export function reasonsNamed(code: string, request: Submission): unknown[] {
  return reasonsFor([named.find((one) => one.code === code) ?? { code }], request);
}

/** Reasons that violate the contract: invalid codes, fields and types, and more reasons than the service reports. */
const invalid: readonly unknown[] = [
  { code: "Jane Doe is on holiday" },
  { code: "x".repeat(10_000), field: "applicant.fullName" },
  { code: "name_mismatch", field: "applicant.shoeSize" },
  { code: "constructor", field: "__proto__" },
  { code: 7, field: 7 },
  {},
  null,
  "document_expired",
  ...Array.from({ length: 100 }, (_, index) => ({
    code: "supporting_document_outdated",
    field: `supportingDocuments[${index}]`,
  })),
];

/** These reasons for a submission. A reason of the contract names only a field that the submission has. */
export function reasonsFor(reasons: readonly unknown[], request: Submission): unknown[] {
  const { document, supportingDocuments } = request;
  return reasons.map((reason) => {
    const { code, field = "" } = named.find((one) => one === reason) ?? {};
    if (field === "document.expiryDate" && document.expiryDate === null) return { code };
    const isItem = field.startsWith("supportingDocuments[");
    return isItem && supportingDocuments.length === 0 ? { code, field: "supportingDocuments" } : reason;
  });
}

/** A tag that gives a refusal or a rejection its reasons. */
export interface ReasonTag {
  readonly id: string;
  readonly description: string;
  readonly reasons: readonly unknown[];
}

/** All tags of reasons. */
export const reasonTags: readonly ReasonTag[] = [
  ...named.map((reason) => ({
    id: reason.code.replaceAll("_", "-"),
    description: `Refused for ${reason.code}${reason.field ? ` of ${reason.field}` : ""}; combines.`,
    reasons: [reason],
  })),
  {
    id: "unknown-reason",
    description: "Refused for a reason that the contract does not name; combines.",
    reasons: [{ code: "photo_of_a_photo", field: "document.frontImageUrl" }],
  },
  {
    id: "invalid-reasons",
    description: "Refused for over 100 reasons, with invalid codes, fields and texts among them; combines.",
    reasons: invalid,
  },
];
