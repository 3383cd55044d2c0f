import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPolicies, hongKongPolicies, kycRules } from "../../src/index.ts";
import { remainingOf } from "../../src/input/remaining-schema.ts";
import type { JsonSchema } from "../../src/input/rule.ts";

const ajv = new Ajv2020({ strict: false });
const holds = (schema: object, input: object) => ajv.compile(schema)(input);

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const knowable = {
  documentType: some("passport", "id_card", "other"),
  documentCountry: some("HK", "hk", "SG"),
  nationality: some("HK", "SG"),
};
const inputs = fc.record(
  {
    ...knowable,
    documentExpiryDate: some("2030-01-01"),
    documentPermanentlyValid: some(true, false),
    backImageUrl: some("https://files.example.com/b", "ftp://x"),
    birthday: some("1990-01-31", "1899-01-31"),
    supportingDocuments: some(
      [],
      [{ documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/s" }],
    ),
  },
  { requiredKeys: [] },
);
const known = fc.subarray(Object.keys(knowable));

describe("what remains of a schema", () => {
  const rules = Object.values(hongKongPolicies).flatMap((hongKong) =>
    kycRules({ ...defaultPolicies, hongKong }),
  );

  it.each([...new Set(rules)].map((rule) => ({ rule, ...rule })))("judges as $id does", ({ rule }) => {
    fc.assert(
      fc.property(inputs, known, (input, names) => {
        const fields = Object.fromEntries(Object.entries(input).filter(([field]) => names.includes(field)));
        const remaining = remainingOf(rule.schema, fields) ?? [{ not: {} }];
        const isRight = holds(rule.schema, input);
        expect(remaining.every((part) => holds(part, input))).toBe(isRight);
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, JsonSchema, unknown]>([
    ["a required field that is known", { required: ["a", "b"] }, [{ required: ["b"] }]],
    ["a value that is refused", { properties: { a: { const: 2 } } }, null],
    [
      "a keyword that is not evaluated",
      { properties: { a: { minimum: 5 } } },
      [{ properties: { a: { minimum: 5 } } }],
    ],
    ["an unknown keyword", { minProperties: 3 }, [{ minProperties: 3 }]],
    ["one branch that holds", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, []],
    [
      "two branches that hold where one may",
      { oneOf: [{ required: ["a"] }, { properties: { a: {} } }] },
      null,
    ],
    ["no branch that holds", { anyOf: [{ properties: { a: { const: 2 } } }] }, null],
    [
      "the last branch that may hold",
      { oneOf: [{ properties: { a: { enum: [] } } }, { required: ["b"] }] },
      [{ required: ["b"] }],
    ],
    ["a negation", { not: { required: ["a"] } }, null],
  ])("with %s", (_name, schema, expected) => {
    expect(remainingOf(schema, { a: 1 })).toEqual(expected);
  });
});
