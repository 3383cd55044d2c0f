import { describe, expect, it } from "vitest";
import {
  defaultPolicies,
  describeRequirements,
  kycRules,
  kycSubmission,
  notForwarded,
  type ProviderCapabilities,
  parseInput,
  submissionFields,
  unlimitedCapabilities,
} from "../../src/index.ts";
import { validBody } from "./submission-body.ts";

const capabilitiesOf = (fields: Partial<ProviderCapabilities["fields"]>): ProviderCapabilities => ({
  ...unlimitedCapabilities,
  fields: { ...unlimitedCapabilities.fields, ...fields },
});

const limited = capabilitiesOf({
  name: { support: "carried", place: "name", maxLength: 12 },
  documentType: { support: "carried", place: "kind", values: ["passport", "id_card"] },
  documentCountry: { support: "carried", place: "country", countries: ["HK", "SG"] },
  occupation: { support: "carried with loss", place: "job", loss: "The provider gets a category." },
  position: { support: "not carried", loss: "The provider gets no position." },
  documentPermanentlyValid: { support: "not carried", loss: "It takes no such documents.", refused: true },
  "supportingDocuments.documentType": { support: "carried", place: "kind", values: ["UTILITY_BILL"] },
  "supportingDocuments.fileUrl": { support: "carried with loss", place: "file", loss: "It gets a copy." },
});

const policies = { ...defaultPolicies, capabilities: limited };
const violationsOf = (changes: object) => {
  const parsed = parseInput(kycSubmission, kycRules(policies), { ...validBody, ...changes });
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => [path.join("."), rule]);
};
const documents = (documentType: string) => ({
  supportingDocuments: [{ documentType, fileUrl: "https://files.example.com/1.pdf" }],
});
const fits = { name: "Ada Example", documentType: "passport", documentCountry: "sg" };

describe("the capabilities of a provider", () => {
  it("add no rule if the provider accepts everything", () => {
    expect(kycRules({ ...defaultPolicies, capabilities: unlimitedCapabilities })).toHaveLength(
      kycRules(defaultPolicies).length,
    );
    expect(kycRules(policies).length).toBeGreaterThan(kycRules(defaultPolicies).length);
  });

  it("add no violation to a value that its field refuses", () => {
    const invalid = { name: "\u0000".repeat(300), documentType: "visa", documentCountry: "SGP" };
    expect(violationsOf({ ...invalid, ...documents("X") })).toEqual([
      ["name", "text-256"],
      ["documentType", "enum"],
      ["documentCountry", "country-code"],
      ["supportingDocuments.0.documentType", "enum"],
    ]);
  });

  it("add violations at limited fields, and accept countries in upper and lower case", () => {
    expect(violationsOf({ ...fits, ...documents("UTILITY_BILL") })).toEqual([]);
    const unfit = { name: "Ada Example 2", documentType: "driver_license", documentCountry: "US" };
    expect(violationsOf({ ...unfit, ...documents("BANK_STATEMENT") })).toEqual([
      ["backImageUrl", "back-image-required"],
      ["name", "provider-limit"],
      ["documentType", "provider-limit"],
      ["documentCountry", "provider-limit"],
      ["supportingDocuments.0.documentType", "provider-limit"],
    ]);
  });

  it("add a violation at an optional field that the provider refuses", () => {
    const permanent = { documentExpiryDate: undefined, documentPermanentlyValid: true };
    const violations = violationsOf({ ...fits, ...documents("UTILITY_BILL"), ...permanent });
    expect(violations).toEqual([["documentPermanentlyValid", "provider-field"]]);
  });

  it("are part of the requirements, with the loss of each field", () => {
    const { fields, rules } = describeRequirements(policies, {});
    const field = (name: string) => fields.find((one) => one.name === name);
    expect(field("documentType")).toMatchObject({ values: ["passport", "id_card"] });
    expect(field("name")).toMatchObject({ maxLength: 12 });
    expect(field("position")).toMatchObject({
      presence: "required",
      notForwarded: "The provider gets no position.",
    });
    expect(field("email")).not.toHaveProperty("notForwarded");
    expect(field("supportingDocuments")?.fields).toMatchObject([
      { name: "documentType", values: ["UTILITY_BILL"] },
      { name: "fileUrl", notForwarded: "It gets a copy." },
    ]);
    expect(rules.map(({ id }) => id)).toContain("provider-field");
  });

  it("list the loss of each sent field", () => {
    const files = [{ documentType: "UTILITY_BILL", fileUrl: "x" }, "junk"];
    expect(notForwarded({ occupation: "Poet", supportingDocuments: files, email: "a" }, limited)).toEqual([
      { path: "/occupation", message: "The provider gets a category." },
      { path: "/supportingDocuments/0/fileUrl", message: "It gets a copy." },
    ]);
    expect(notForwarded({ occupation: "Poet" }, unlimitedCapabilities)).toEqual([]);
  });

  it("cover every field except memberId", () => {
    expect(submissionFields).not.toContain("memberId");
    expect(submissionFields).toContain("supportingDocuments.fileUrl");
    expect(
      Object.keys(kycSubmission.shape).filter((name) => !submissionFields.join().includes(name)),
    ).toEqual(["memberId"]);
  });
});
