/* The JSON Schemas of requests, of their responses, and of the provider's responses. */

const string = { type: "string" };
const nullableText = { type: "string", nullable: true, default: null };
/** Without control characters. */
const name = { type: "string", minLength: 1, maxLength: 64, pattern: "^\\P{Cc}*$" };
const email = { type: "string", format: "email", maxLength: 128 };

export const cardsQuery = {
  type: "object",
  oneOf: [{ required: ["email"] }, { required: ["memberId"] }],
  properties: {
    email,
    memberId: name,
    status: name,
    page: { type: "integer", minimum: 1, maximum: 10_000, default: 1 },
    pageSize: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  },
};

/** The fields of a card that callers receive. */
const card = {
  cardId: string,
  status: string,
  memberId: nullableText,
  cardAccountId: nullableText,
  type: nullableText,
  network: nullableText,
  last4: { ...nullableText, pattern: "^[0-9]{4}$" },
  expiryMonth: { type: "integer", nullable: true, default: null, minimum: 1, maximum: 12 },
  expiryYear: { type: "integer", nullable: true, default: null, minimum: 2000, maximum: 2999 },
  nameOnCard: { ...nullableText, maxLength: 256 },
  currency: { ...nullableText, pattern: "^[A-Z]{3}$" },
  createdAt: { ...nullableText, format: "date-time" },
};

/** The page that callers receive. Other fields are removed. */
export const cardPage = {
  type: "object",
  properties: {
    items: { type: "array", items: { type: "object", properties: card } },
    page: { type: "integer" },
    pageSize: { type: "integer" },
    total: { type: "integer" },
    totalPages: { type: "integer" },
  },
};

/** The page in the provider's response. */
export const providerPage = {
  type: "object",
  required: ["userReference", "page", "pageSize", "total", "items"],
  properties: {
    userReference: string,
    page: { type: "integer" },
    pageSize: { type: "integer" },
    total: { type: "integer", minimum: 0 },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["userReference", "cardId", "status"],
        properties: { userReference: string, ...card },
      },
    },
  },
};

/** The provider's state of a submission. */
export const state = {
  type: "object",
  required: ["reference", "userReference", "status", "revision"],
  properties: {
    reference: string,
    userReference: string,
    status: string,
    cardAccountId: nullableText,
    revision: { type: "integer" },
  },
};

/** The provider's only documented refusal. */
export const refusal = {
  type: "object",
  required: ["reference", "error"],
  properties: {
    reference: string,
    error: { type: "object", required: ["code"], properties: { code: { const: "kyc_refused" } } },
  },
};

const text = (maxLength) => ({ ...name, maxLength, transform: ["trim"] });
const oneOf = (...values) => ({ type: "string", enum: values });
const country = { type: "string", pattern: "^[A-Za-z]{2}$", transform: ["toUpperCase"] };
const date = { type: "string", format: "date" };
const url = { type: "string", format: "uri", pattern: "^https?://", maxLength: 2048 };
const supportingDocument = {
  type: "object",
  additionalProperties: false,
  required: ["documentType", "fileUrl"],
  properties: {
    documentType: oneOf(
      "UTILITY_BILL",
      "TENANCY_AGREEMENT",
      "ADDRESS_PROOF",
      "BANK_STATEMENT",
      "TRAVEL_PERMIT_FRONT",
      "TRAVEL_PERMIT_BACK",
      "PROOF_OF_VISIT",
    ),
    fileUrl: url,
  },
};
const always = {
  email,
  name: text(256),
  birthday: { ...date, notInFuture: true },
  documentType: oneOf("passport", "id_card", "driver_license"),
  documentNumber: text(256),
  documentCountry: country,
  frontImageUrl: url,
  selfieImageUrl: url,
  phoneCountryCode: { type: "string", pattern: "^\\+[0-9]{1,4}$" },
  phoneNumber: { type: "string", pattern: "^[0-9]{4,20}$" },
  gender: oneOf("male", "female"),
  annualIncome: oneOf("<20000", "20000-50000", "50000-200000", "200000-500000", ">500000"),
  occupation: text(256),
  position: text(256),
  nationality: country,
  contactAddress: text(512),
  memberId: name,
};
const sometimes = {
  documentExpiryDate: date,
  documentPermanentlyValid: { type: "boolean", const: true },
  backImageUrl: url,
  supportingDocuments: { type: "array", minItems: 1, maxItems: 10, items: supportingDocument },
};

/** The body of a submission, with the rules between its fields. */
export const kycSubmission = {
  type: "object",
  additionalProperties: false,
  required: Object.keys(always),
  properties: { ...always, ...sometimes },
  oneOf: [{ required: ["documentExpiryDate"] }, { required: ["documentPermanentlyValid"] }],
  allOf: [
    {
      if: { properties: { documentType: { const: "passport" } } },
      else: { required: ["backImageUrl"] },
    },
    {
      if: { properties: { documentCountry: { ...string, pattern: "^[Hh][Kk]$" } } },
      else: { required: ["supportingDocuments"] },
    },
  ],
};

export const kycResult = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    code: string,
    message: string,
    externalUserId: string,
    kycRecordId: string,
    status: nullableText,
    subStatus: nullableText,
    cardAccountId: nullableText,
  },
};
