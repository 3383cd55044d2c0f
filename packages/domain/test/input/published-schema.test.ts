import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  cardListQuery,
  defaultPolicies,
  exactlyOneIdentifier,
  hongKongPolicies,
  kycRules,
  kycSubmission,
  type Policies,
  parseInput,
  type Rule,
} from "../../src/index.ts";
import { validBody } from "../kyc/submission-body.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function published(schema: z.ZodType, rules: readonly Rule[]) {
  return ajv.compile({ ...z.toJSONSchema(schema, { io: "input" }), allOf: rules.map((rule) => rule.schema) });
}

const junk = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  1.5,
  "",
  " ",
  "x",
  "HK",
  "hk",
  "HKG",
  "+852",
  "1234",
  "12a4",
  "2030-02-30",
  "2030-02-28",
  "https://a.test/x",
  "ftp://a",
  [],
  {},
  ["id_card"],
  "id_card",
  "passport",
  "male",
  "\u0000",
  "\ud800",
  "😀".repeat(200),
  "a@b.co",
  [{ documentType: "BANK_STATEMENT", fileUrl: "https://a.test/x" }],
  [{ documentType: "BANK_STATEMENT" }],
);
const optional = { backImageUrl: "https://a.test/b", documentPermanentlyValid: true };
const fields = [...Object.keys(validBody), ...Object.keys(optional)];

/** Variations of a valid body: fields dropped, replaced or added. */
const bodies = fc
  .record({
    dropped: fc.subarray(fields, { maxLength: 4 }),
    replaced: fc.dictionary(fc.constantFrom(...fields), junk, { maxKeys: 4 }),
    added: fc.subarray(Object.entries(optional)),
  })
  .map(({ dropped, replaced, added }) => {
    const body = { ...validBody, ...Object.fromEntries(added), ...replaced };
    return Object.fromEntries(Object.entries(body).filter(([field]) => !dropped.includes(field)));
  });

/** JSON Schema cannot express the current date (G25). At this time every date here is in the past. */
const now = () => new Date("2100-01-01T00:00:00Z");

const policies: [string, Policies][] = Object.entries(hongKongPolicies).map(([name, hongKong]) => [
  name,
  {
    ...defaultPolicies,
    now,
    hongKong,
    fileOrigins: name === "either" ? ["https://a.test", "https://files.example.com"] : [],
  },
]);

describe("the published schema and the service agree", () => {
  it.each(policies)("on KYC submissions, Hong Kong by %s", (_name, chosen) => {
    const rules = kycRules(chosen);
    const validate = published(kycSubmission, rules);
    fc.assert(
      fc.property(bodies, (body) => {
        expect(parseInput(kycSubmission, rules, body).ok).toBe(validate(body));
      }),
      { numRuns: 3_000 },
    );
  });

  it("on card list queries", () => {
    const validate = published(cardListQuery, [exactlyOneIdentifier]);
    const value = fc.oneof(
      junk,
      fc.integer({ min: -5, max: 20_000 }),
      fc.string({ unit: "binary", maxLength: 70 }),
    );
    const queries = fc.dictionary(fc.constantFrom("email", "memberId", "status", "page", "pageSize"), value);
    fc.assert(
      fc.property(queries, (query) => {
        expect(parseInput(cardListQuery, [exactlyOneIdentifier], query).ok).toBe(validate(query));
      }),
      { numRuns: 5_000 },
    );
  });
});
