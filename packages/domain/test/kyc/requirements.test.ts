import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  defaultPolicies,
  describeRequirements,
  hongKongPolicies,
  type KnownFields,
  kycRequirements,
  kycRules,
  kycSubmission,
} from "../../src/index.ts";

const describeFor = (known: KnownFields, policies = defaultPolicies) => {
  const described = describeRequirements(policies, known);
  expect(kycRequirements.parse(described)).toEqual(described);
  return { ...described, field: (name: string) => described.fields.find((field) => field.name === name) };
};

describe("the requirements of a submission (G29)", () => {
  it("contain every field of the body once", () => {
    const names = describeFor({}).fields.map(({ name }) => name);
    expect(names).toEqual(Object.keys(kycSubmission.shape));
  });

  it("have the purpose of the file for every field with a URL", () => {
    for (const { name, filePurpose } of describeFor({}).fields) {
      const schema: z.ZodType = kycSubmission.shape[name as keyof typeof kycSubmission.shape];
      const acceptsUrlsOnly =
        schema.safeParse("https://files.example.com/x").success && !schema.safeParse("x").success;
      expect([name, filePurpose !== undefined]).toEqual([name, acceptsUrlsOnly]);
    }
  });

  it.each([
    ["passport", "optional"],
    ["id_card", "required"],
    ["driver_license", "required"],
    [undefined, "conditional"],
  ] as const)("for the document type %s have backImageUrl as %s", (documentType, presence) => {
    const back = describeFor({ documentType }).field("backImageUrl");
    const conditions = presence === "conditional" ? { conditions: ["back-image-required"] } : {};
    expect(back).toMatchObject({ presence, ...conditions, filePurpose: "document_back" });
  });

  it.each([
    ["documentCountry", { documentCountry: "HK", nationality: "SG" }, true, "optional"],
    ["documentCountry", { documentCountry: "SG" }, false, "required"],
    ["documentCountry", { nationality: "HK" }, null, "conditional"],
    ["nationality", { nationality: "HK" }, true, "optional"],
    ["nationality", { documentCountry: "HK" }, null, "conditional"],
    ["either", { nationality: "HK" }, true, "optional"],
    ["either", { nationality: "SG" }, null, "conditional"],
    ["either", { documentCountry: "SG", nationality: "SG" }, false, "required"],
  ] as const)(
    "with the policy %s and the known fields %o, decide on supportingDocuments",
    (policy, known, isHongKongUser, presence) => {
      const { hongKong, field } = describeFor(known, {
        ...defaultPolicies,
        hongKong: hongKongPolicies[policy],
      });
      expect(hongKong).toMatchObject({ policy, isHongKongUser });
      expect(field("supportingDocuments")).toMatchObject({ presence, maxItems: 10 });
      expect(field("supportingDocuments")?.minItems).toBe(presence === "required" ? 1 : undefined);
    },
  );

  it("contain the limits of the schema and of the rules", () => {
    const { field } = describeFor({ documentType: "id_card" });
    expect(field("name")).toMatchObject({ kind: "string", minLength: 1, maxLength: 256 });
    expect(field("birthday")?.patterns).toHaveLength(2);
    expect(field("documentPermanentlyValid")).toMatchObject({ kind: "boolean", values: [true] });
    expect(field("gender")).toMatchObject({ values: ["male", "female"] });
    expect(field("documentType")).toMatchObject({ values: ["id_card"] });
    expect(field("supportingDocuments")).toMatchObject({
      kind: "array",
      fields: [
        { name: "documentType", presence: "required", values: expect.arrayContaining(["BANK_STATEMENT"]) },
        { name: "fileUrl", presence: "required", filePurpose: "supporting_document" },
      ],
    });
  });

  it("list the rules that the fields do not express", () => {
    const ids = (known: KnownFields) => describeFor(known).rules.map(({ id }) => id);
    const always = ["document-expiry-exactly-one", "birthday-not-in-future", "file-origin"];
    expect(ids({ documentType: "id_card", documentCountry: "SG" })).toEqual(always);
    expect(ids({})).toEqual(expect.arrayContaining(["back-image-required", "supporting-documents-required"]));
  });
});

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const knowable = {
  documentType: some("passport", "id_card", "other"),
  documentCountry: some("HK", "hk", "SG"),
  nationality: some("HK", "SG"),
};

describe.each(Object.values(hongKongPolicies))("`requires` of the rules, Hong Kong by $id,", (hongKong) => {
  const requiring = kycRules({ ...defaultPolicies, hongKong }).flatMap(({ requires, ...rule }) =>
    requires ? [{ ...rule, requires }] : [],
  );

  it.each(requiring)("agrees with the check: $id", ({ check, requires }) => {
    fc.assert(
      fc.property(
        fc.record(knowable, { requiredKeys: [] }),
        fc.subarray(Object.keys(knowable)),
        (body, names) => {
          const known = Object.fromEntries(Object.entries(body).filter(([field]) => names.includes(field)));
          const required = requires.decide(known);
          if (required !== null) expect(check(body).length > 0).toBe(required);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(kycRules({ ...defaultPolicies, hongKong }))(
    "lists the optional fields that the schema requires: $id",
    (rule) => {
      const fields = [...JSON.stringify(rule.schema).matchAll(/"required":(\[[^\]]+\])/g)].flatMap(
        ([, list = ""]) => JSON.parse(list),
      );
      const optional = fields.filter(
        (field) => kycSubmission.shape[field as "email"].safeParse(undefined).success,
      );
      expect(rule.requires?.fields ?? []).toEqual(optional);
    },
  );

  it("is decided if all its fields are known", () => {
    const known = { documentType: "passport", documentCountry: "SG", nationality: "SG" };
    const undecided = requiring.filter(({ requires }) => requires.decide(known) === null);
    expect(undecided.map(({ id }) => id)).toEqual(["document-expiry-exactly-one"]);
  });
});
