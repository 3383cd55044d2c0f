import * as v from "../common/vocabulary.js";

const text = (maxLength: number) => ({
  type: "string",
  transform: ["trim"],
  minLength: 1,
  maxLength,
  pattern: v.withoutControls.source,
});
const country = { type: "string", pattern: v.countryCode.source, transform: ["toUpperCase"] };
const date = { type: "string", format: "date" };
const url = { type: "string", format: "uri", pattern: v.httpUrl.source, maxLength: 2048 };

const supportingDocument = {
  type: "object",
  additionalProperties: false,
  required: ["documentType", "fileUrl"],
  properties: { documentType: { type: "string", enum: v.supportingDocumentTypes }, fileUrl: url },
};

const properties = {
  email: { type: "string", format: "email", maxLength: 128 },
  name: text(256),
  birthday: { ...date, notInFuture: true },
  documentType: { type: "string", enum: v.documentTypes },
  documentNumber: text(256),
  documentCountry: country,
  documentExpiryDate: date,
  documentPermanentlyValid: { type: "boolean", const: true },
  frontImageUrl: url,
  backImageUrl: url,
  selfieImageUrl: url,
  phoneCountryCode: { type: "string", pattern: v.callingCode.source },
  phoneNumber: { type: "string", pattern: v.phoneNumber.source },
  gender: { type: "string", enum: v.genders },
  annualIncome: { type: "string", enum: v.annualIncomes },
  occupation: text(256),
  position: text(256),
  nationality: country,
  contactAddress: text(512),
  supportingDocuments: { type: "array", minItems: 1, maxItems: 10, items: supportingDocument },
  memberId: { type: "string", minLength: 1, maxLength: 64, pattern: v.withoutControls.source },
};

const sometimes = ["documentExpiryDate", "documentPermanentlyValid", "backImageUrl", "supportingDocuments"];

/** The body of a submission, with the rules between its fields. */
export const kycSubmission = {
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !sometimes.includes(name)),
  properties,
  oneOf: [{ required: ["documentExpiryDate"] }, { required: ["documentPermanentlyValid"] }],
  allOf: [
    {
      if: { properties: { documentType: { enum: v.twoSided } }, required: ["documentType"] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
      then: { required: ["backImageUrl"] },
    },
    {
      if: { properties: { documentCountry: { pattern: "^[Hh][Kk]$" } }, required: ["documentCountry"] },
      else: { required: ["supportingDocuments"] },
    },
  ],
};

const anyText = { type: "string" };
const nullableText = { type: "string", nullable: true };

export const kycResult = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    code: anyText,
    message: anyText,
    externalUserId: anyText,
    kycRecordId: anyText,
    status: nullableText,
    subStatus: nullableText,
    cardAccountId: nullableText,
  },
};
