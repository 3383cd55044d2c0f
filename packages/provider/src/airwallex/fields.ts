import type {
  FieldSupport,
  KycSubmission,
  ProviderCapabilities,
  ProviderKycRequest,
  SubmissionField,
} from "@cardbridge/domain";
import { requestBody } from "../kyc/request-body.ts";
import { addressRule, splitAddress } from "./addresses.ts";
import { countryRule } from "./countries.ts";
import { nameRule, splitName } from "./names.ts";
import type { NewCardholder } from "./wire.ts";

type Applicant = ProviderKycRequest["applicant"];
/** A field outside the list of supporting documents. */
type SingleField = SubmissionField & keyof Applicant;

type Mapping = FieldSupport & {
  /** The value at `place`. Default: the field's own. */
  value?(applicant: Applicant): unknown;
  /** The fields of the value, which errors may name. */
  parts?: readonly string[];
  /** The name of the file that is uploaded, whose id is the value. */
  upload?: string;
};

type NotCarried = Extract<FieldSupport, { support: "not carried" }>;

const noPlace = (what: string): NotCarried => ({
  support: "not carried",
  loss: `The provider receives no ${what}.`,
});

const documentTypes: Record<KycSubmission["documentType"], string> = {
  passport: "PASSPORT",
  id_card: "ID_CARD",
  driver_license: "DRIVERS_LICENSE",
};
const genders: Record<KycSubmission["gender"], string> = { male: "M", female: "F" };

const mobileNumber = {
  support: "carried",
  place: "mobile_number",
  value: (applicant: Applicant) => `${applicant.phoneCountryCode}${applicant.phoneNumber}`,
} as const;

const identification = "individual.identification";

/**
 * Each field of a submission in Airwallex's model of a new cardholder (API version 2025-06-30). Of two fields with one
 * place, the later one is named in reasons.
 */
const fields: Readonly<
  Record<SingleField, Mapping> & Record<Exclude<SubmissionField, SingleField>, NotCarried>
> = {
  email: { support: "carried", place: "email" },
  name: {
    support: "carried with loss",
    place: "individual.name",
    loss: "The provider receives the last word as last_name, and the words before it as first_name.",
    value: ({ name }) => splitName(name),
    parts: ["first_name", "last_name"],
  },
  birthday: { support: "carried", place: "individual.date_of_birth" },
  documentType: {
    support: "carried",
    place: `${identification}.type`,
    value: ({ documentType }) => documentTypes[documentType],
  },
  documentNumber: { support: "carried", place: `${identification}.number` },
  documentCountry: { support: "carried", place: `${identification}.country` },
  documentExpiryDate: {
    support: "carried",
    place: `${identification}.expiry_date`,
    value: ({ documentExpiryDate = "" }) => documentExpiryDate,
  },
  documentPermanentlyValid: {
    support: "not carried",
    loss: "The provider supports only documents with an expiry date.",
    refused: true,
  },
  frontImageUrl: { support: "carried", place: `${identification}.document_front_file_id`, upload: "front" },
  backImageUrl: { support: "carried", place: `${identification}.document_back_file_id`, upload: "back" },
  selfieImageUrl: noPlace("selfie"),
  phoneCountryCode: mobileNumber,
  phoneNumber: mobileNumber,
  gender: {
    support: "carried",
    place: `${identification}.gender`,
    value: ({ gender }) => genders[gender],
  },
  annualIncome: noPlace("income"),
  occupation: noPlace("occupation"),
  position: noPlace("position"),
  nationality: { support: "carried", place: "individual.nationality" },
  contactAddress: {
    support: "carried with loss",
    place: "individual.address",
    loss: "The provider receives the parts of the address, with a state in US, CA and AU only.",
    value: ({ contactAddress }) => splitAddress(contactAddress).address,
    parts: ["line1", "line2", "city", "state", "postcode", "country"],
  },
  "supportingDocuments.documentType": noPlace("supporting documents: it requests them itself"),
  "supportingDocuments.fileUrl": noPlace("supporting documents: it requests them itself"),
};

const single = Object.entries(fields) as [SingleField, Mapping][];
const carried = single.flatMap(([field, mapping]) => ("place" in mapping ? [{ field, ...mapping }] : []));

/** The fields whose files are uploaded, in this order, with the names of the files. */
export const uploads = carried.flatMap(({ field, upload }) => (upload ? [{ field, name: upload }] : []));

/**
 * Maps a submission field by field, so the request never contains any other property of the input. The platform's
 * contract requires it to obtain the user's consent to the verification. It names no other consent, so none is sent.
 *
 * @param files the ids of the uploaded files by field
 */
export function toNewCardholder(applicant: Applicant, files: ReadonlyMap<string, string>): NewCardholder {
  const values = carried.map(({ field, place, value, upload }) => {
    if (upload) return [place, files.get(field)] as const;
    return [place, value ? value(applicant) : applicant[field]] as const;
  });
  const ours = [
    ["type", "INDIVIDUAL"],
    ["individual.express_consent_obtained", "yes"],
  ] as const;
  return requestBody([...ours, ...values]) as unknown as NewCardholder;
}

const pointers = new Map(
  carried.flatMap(({ field, place, parts = [] }) =>
    [place, ...parts.map((part) => `${place}.${part}`)].map((path) => [path, `/${field}`] as const),
  ),
);

/** The JSON Pointer of the submission's field for a path in Airwallex's request; null for anything else. */
export function fieldPointer(path: unknown): string | null {
  return typeof path === "string" ? (pointers.get(path) ?? null) : null;
}

/** What Airwallex supports of a submission. */
export const airwallexCapabilities: ProviderCapabilities = {
  fileDelivery: "bytes",
  renews: true,
  // The documentation defines the size limit of the File Service but no types; WebP support is uncertain.
  files: { types: ["image/jpeg", "image/png", "application/pdf"], maxBytes: 20_000_000 },
  fields,
  rules: [nameRule, countryRule, addressRule],
};
