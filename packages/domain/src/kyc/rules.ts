import { calendarDate } from "../input/formats.ts";
import { decide, type JsonSchema, type Predicate, type RawInput, type Rule } from "../input/rule.ts";
import { capabilityRules } from "./capability-rules.ts";
import { fileOriginsRules } from "./file-origins.ts";
import type { Policies } from "./policies.ts";

/** A rule with at most one violation, always at the same field; `find` returns its message. */
function rule({
  field,
  find,
  ...facts
}: Omit<Rule, "check"> & { field: string; find(input: RawInput): string | undefined }): Rule {
  return {
    ...facts,
    check(input) {
      const message = find(input);
      return message === undefined ? [] : [{ path: [field], rule: facts.id, message }];
    },
  };
}

/** JSON Schema cannot express rules that depend on the current date. */
const inWordsOnly = (inWords: string) => ({ schema: {}, inWords });

function requiredUnless(condition: JsonSchema, field: string): JsonSchema {
  return { anyOf: [condition, { required: [field] }] };
}

const hour = 3_600_000;

const isSent = (input: RawInput, field: string) => input[field] !== undefined;

const expiryOrPermanent = rule({
  id: "document-expiry-exactly-one",
  section: "2.3, 7.1, 7.2",
  description: "Send exactly one of documentExpiryDate and documentPermanentlyValid.",
  schema: { oneOf: [{ required: ["documentExpiryDate"] }, { required: ["documentPermanentlyValid"] }] },
  requires: { fields: ["documentExpiryDate", "documentPermanentlyValid"], decide: () => null },
  field: "documentExpiryDate",
  find(input) {
    const hasDate = isSent(input, "documentExpiryDate");
    const hasPermanent = isSent(input, "documentPermanentlyValid");
    if (hasDate && hasPermanent)
      return "Send either documentExpiryDate or documentPermanentlyValid, not both.";
    if (!hasDate && !hasPermanent) return "Send documentExpiryDate, or documentPermanentlyValid as true.";
    return undefined;
  },
});

const permanentOnlyTrue = rule({
  id: "document-permanently-valid-true",
  section: "2.3, 7.3",
  description: "documentPermanentlyValid is true or omitted.",
  schema: { properties: { documentPermanentlyValid: { const: true } } },
  field: "documentPermanentlyValid",
  find(input) {
    if (input.documentPermanentlyValid !== false) return undefined;
    return "Only true is accepted. Omit this field and send documentExpiryDate instead.";
  },
});

const twoSided = ["id_card", "driver_license"];
const isTwoSided = (documentType: unknown) => twoSided.some((type) => type === documentType);

const backImage = rule({
  id: "back-image-required",
  section: "2.3",
  description: "backImageUrl is required when documentType is id_card or driver_license.",
  schema: requiredUnless(
    { not: { properties: { documentType: { enum: twoSided } }, required: ["documentType"] } },
    "backImageUrl",
  ),
  requires: {
    fields: ["backImageUrl"],
    decide: ({ documentType }) => (documentType === undefined ? null : isTwoSided(documentType)),
  },
  field: "backImageUrl",
  find(input) {
    if (!isTwoSided(input.documentType) || isSent(input, "backImageUrl")) return undefined;
    return "Required when documentType is id_card or driver_license.";
  },
});

const supportingDocuments = (hongKong: Predicate) =>
  rule({
    id: "supporting-documents-required",
    section: "2.3",
    description: `supportingDocuments are required unless ${hongKong.description}.`,
    schema: {
      anyOf: [
        hongKong.schema,
        { required: ["supportingDocuments"], properties: { supportingDocuments: { minItems: 1 } } },
      ],
    },
    requires: {
      fields: ["supportingDocuments"],
      decide(known) {
        const isHongKongUser = decide(hongKong, known);
        return isHongKongUser === null ? null : !isHongKongUser;
      },
    },
    field: "supportingDocuments",
    find({ supportingDocuments: documents, ...input }) {
      // An empty list counts as absent (G30).
      const isAbsent = documents === undefined || (Array.isArray(documents) && documents.length === 0);
      if (hongKong.holds(input) || !isAbsent) return undefined;
      return `Required for non-HK users: unless ${hongKong.description} (policy ${hongKong.id}).`;
    },
  });

const birthdayFrom1900 = rule({
  id: "birthday-from-1900",
  section: "G21",
  description: "birthday is not before 1900-01-01.",
  schema: {
    properties: { birthday: { pattern: "^(?:19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}$", maxLength: 10 } },
  },
  field: "birthday",
  find: (input) =>
    isBefore(input.birthday, "1900-01-01") ? "Send a date of birth from 1900-01-01 on." : undefined,
});

const birthdayNotInFuture = (now: () => Date) =>
  rule({
    id: "birthday-not-in-future",
    section: "G25",
    description: "birthday is not after today.",
    ...inWordsOnly("birthday is not after today, in the time zone UTC+14."),
    field: "birthday",
    find: (input) =>
      isBefore(latestToday(now()), input.birthday) ? "A date of birth cannot be in the future." : undefined,
  });

const documentNotExpired = (now: () => Date) =>
  rule({
    id: "document-not-expired",
    section: "G25",
    description: "documentExpiryDate is not before today.",
    ...inWordsOnly("documentExpiryDate is not before today, in the time zone UTC-12."),
    field: "documentExpiryDate",
    find: (input) =>
      isBefore(input.documentExpiryDate, earliestToday(now())) ? "The document has expired." : undefined,
  });

/** Every rule between the fields of a KYC submission (interface, sections 2.3 and 7) under these policies. */
export function kycRules(policies: Policies): Rule[] {
  return [
    expiryOrPermanent,
    permanentOnlyTrue,
    backImage,
    supportingDocuments(policies.hongKong),
    birthdayFrom1900,
    birthdayNotInFuture(policies.now),
    ...(policies.documentExpiry === "future" ? [documentNotExpired(policies.now)] : []),
    ...fileOriginsRules(policies),
    ...capabilityRules(policies.capabilities),
  ];
}

/** Today's date in the earliest time zone (UTC+14), as yyyy-MM-dd. No date of birth is later. */
function latestToday(now: Date): string {
  return new Date(now.getTime() + 14 * hour).toISOString().slice(0, 10);
}

/** Today's date in the latest time zone (UTC-12), as yyyy-MM-dd. */
function earliestToday(now: Date): string {
  return new Date(now.getTime() - 12 * hour).toISOString().slice(0, 10);
}

/** Compares two dates as yyyy-MM-dd; false unless both are real dates. Others have a violation of their format. */
function isBefore(earlier: unknown, later: unknown): boolean {
  return isDate(earlier) && isDate(later) && earlier < later;
}

function isDate(value: unknown): value is string {
  return calendarDate.safeParse(value).success;
}
