import type { Policies } from "../policies.ts";
import type { JsonSchema, Predicate, RawInput, Rule } from "../rule.ts";
import type { Violation } from "../violations.ts";
import { earliestToday, isBefore, latestToday } from "./calendar.ts";
import { fileOriginsRule } from "./file-origins.ts";

/** A rule that finds at most one thing: `find` names the field and says what to change. */
function rule(
  id: string,
  section: string,
  schema: Rule["schema"],
  find: (input: RawInput) => { field: string; message: string } | undefined,
): Rule {
  return {
    id,
    section,
    schema,
    check(input): Violation[] {
      const found = find(input);
      return found ? [{ path: [found.field], rule: id, message: found.message }] : [];
    },
  };
}

function requiredUnless(condition: JsonSchema, field: string): JsonSchema {
  return { anyOf: [condition, { required: [field] }] };
}

const given = (input: RawInput, field: string) => input[field] !== undefined;

const expiryOrPermanent = rule(
  "document-expiry-exactly-one",
  "2.3, 7.1, 7.2",
  { oneOf: [{ required: ["documentExpiryDate"] }, { required: ["documentPermanentlyValid"] }] },
  (input) => {
    const both = given(input, "documentExpiryDate") && given(input, "documentPermanentlyValid");
    const neither = !given(input, "documentExpiryDate") && !given(input, "documentPermanentlyValid");
    if (!both && !neither) return;
    const message = both
      ? "Send either documentExpiryDate or documentPermanentlyValid, not both."
      : "Send documentExpiryDate, or documentPermanentlyValid as true.";
    return { field: "documentExpiryDate", message };
  },
);

const permanentOnlyTrue = rule(
  "document-permanently-valid-true",
  "2.3, 7.3",
  { properties: { documentPermanentlyValid: { const: true } } },
  (input) =>
    input.documentPermanentlyValid === false
      ? {
          field: "documentPermanentlyValid",
          message: "Only true is accepted; leave the field out and send documentExpiryDate instead.",
        }
      : undefined,
);

const twoSided = ["id_card", "driver_license"];

const backImage = rule(
  "back-image-required",
  "2.3",
  requiredUnless(
    { not: { properties: { documentType: { enum: twoSided } }, required: ["documentType"] } },
    "backImageUrl",
  ),
  (input) =>
    twoSided.some((type) => type === input.documentType) && !given(input, "backImageUrl")
      ? { field: "backImageUrl", message: "Required when documentType is id_card or driver_license." }
      : undefined,
);

const supportingDocuments = (hongKong: Predicate) =>
  rule(
    "supporting-documents-required",
    "2.3",
    requiredUnless(hongKong.schema, "supportingDocuments"),
    (input) =>
      !hongKong.holds(input) && !given(input, "supportingDocuments")
        ? {
            field: "supportingDocuments",
            message: `Required unless the user is a Hong Kong user, that is, unless ${hongKong.words} (policy ${hongKong.id}).`,
          }
        : undefined,
  );

const birthdayNotInFuture = (now: () => Date) =>
  rule("birthday-not-in-future", "G25", { description: "birthday is not after today." }, (input) =>
    isBefore(latestToday(now()), input.birthday)
      ? { field: "birthday", message: "A date of birth cannot be in the future." }
      : undefined,
  );

const documentNotExpired = (now: () => Date) =>
  rule("document-not-expired", "G25", { description: "documentExpiryDate is today or later." }, (input) =>
    isBefore(input.documentExpiryDate, earliestToday(now()))
      ? { field: "documentExpiryDate", message: "The document has expired." }
      : undefined,
  );

/** Every rule between the fields of a KYC submission (interface, sections 2.3 and 7) under these policies. */
export function kycRules(policies: Policies): Rule[] {
  return [
    expiryOrPermanent,
    permanentOnlyTrue,
    backImage,
    supportingDocuments(policies.hongKong),
    birthdayNotInFuture(policies.now),
    ...(policies.documentExpiry === "future" ? [documentNotExpired(policies.now)] : []),
    ...(policies.fileOrigins.length > 0 ? [fileOriginsRule(policies.fileOrigins)] : []),
  ];
}
