import {
  type ProviderCapabilities,
  type ProviderKycRequest,
  type SubmissionField,
  withFileUrls,
} from "@cardbridge/domain";
import { requestBody } from "../kyc/request-body.ts";

/** The path of each field of a submission in the provider contract, in the order of its request. */
const places: Readonly<Record<SubmissionField, string>> = {
  email: "applicant.email",
  name: "applicant.fullName",
  birthday: "applicant.birthDate",
  gender: "applicant.gender",
  nationality: "applicant.nationality",
  phoneCountryCode: "applicant.phone.countryCode",
  phoneNumber: "applicant.phone.number",
  contactAddress: "applicant.address",
  annualIncome: "applicant.annualIncome",
  occupation: "applicant.occupation",
  position: "applicant.position",
  documentType: "document.type",
  documentNumber: "document.number",
  documentCountry: "document.country",
  documentExpiryDate: "document.expiryDate",
  documentPermanentlyValid: "document.permanentlyValid",
  frontImageUrl: "document.frontImageUrl",
  backImageUrl: "document.backImageUrl",
  selfieImageUrl: "document.selfieImageUrl",
  "supportingDocuments.documentType": "supportingDocuments[].type",
  "supportingDocuments.fileUrl": "supportingDocuments[].fileUrl",
};

const list = "supportingDocuments";
const all = Object.entries(places);
const single = all.filter(([field]) => !field.startsWith(list));
const inList = all.filter(([field]) => field.startsWith(list));

/** The provider contract carries every field and value, and its provider fetches files by URL. */
export const cardbridgeCapabilities: ProviderCapabilities = {
  fileDelivery: "url",
  renews: true,
  fields: Object.fromEntries(
    all.map(([field, place]) => [field, { support: "carried", place }]),
  ) as ProviderCapabilities["fields"],
};

/**
 * Maps a submission field by field, so the request never contains any other property of the input. An absent field is
 * null, but only a renewal has `renews`: other content than before under a used reference would be a conflict. The
 * provider fetches the files: each request signs their URLs again, because signed URLs expire.
 */
export function toWireSubmission({
  userReference,
  fingerprint,
  files,
  renews,
  ...request
}: ProviderKycRequest) {
  const { supportingDocuments = [], ...applicant } = withFileUrls(request.applicant, files.url);
  const isPermanent = applicant.documentPermanentlyValid === true;
  const values: Readonly<Record<string, unknown>> = {
    ...applicant,
    documentPermanentlyValid: isPermanent,
    documentExpiryDate: isPermanent ? null : applicant.documentExpiryDate,
  };
  return {
    userReference,
    fingerprint,
    ...(renews !== null && { renews }),
    ...requestBody(single.map(([field, place]) => [place, values[field] ?? null])),
    supportingDocuments: supportingDocuments.map(toItem),
  };
}

/** Maps a supporting document by the paths after the list's. */
function toItem(document: Readonly<Record<string, unknown>>) {
  return requestBody(
    inList.map(([field, place]) => [
      place.slice(`${list}[].`.length),
      document[field.slice(`${list}.`.length)],
    ]),
  );
}

/** The JSON Pointer of each path; `[]` stands for an index of the list. */
const pointers = new Map([
  [list, `/${list}`],
  [`${list}[]`, `/${list}/[]`],
  ...all.map(([field, place]) => [place, `/${field.replace(".", "/[]/")}`] as const),
]);

/** The JSON Pointer of the submission's field for a path in the provider's request; null for anything else. */
export function fieldPointer(path: unknown): string | null {
  if (typeof path !== "string" || path.includes("[]")) return null;
  const [, index = ""] = /\[([0-9])\]/.exec(path) ?? [];
  return pointers.get(path.replace(`[${index}]`, "[]"))?.replace("[]", index) ?? null;
}
