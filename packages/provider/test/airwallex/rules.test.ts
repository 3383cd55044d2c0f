import { capabilityRules, kycSubmission } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { splitAddress } from "../../src/airwallex/addresses.ts";
import { nameRule, splitName } from "../../src/airwallex/names.ts";
import { airwallexCapabilities } from "../../src/index.ts";

const rules = capabilityRules(airwallexCapabilities);
const violated = (input: object) => rules.flatMap(({ check }) => check({ ...input })).map(({ rule }) => rule);

describe("a name", () => {
  it.each([
    ["Ada Example", "Ada", "Example"],
    ["  Mary Ann   O'Neil-Smith ", "Mary Ann", "O'Neil-Smith"],
    ["J. R. Example", "J. R.", "Example"],
  ])("%j is split into first and last name", (name, first_name, last_name) => {
    expect(violated({ name })).toEqual([]);
    expect(splitName(name)).toEqual({ first_name, last_name });
  });

  it.each(["Ada", "愛達 Example", "Ada Exámple", "Ada 2nd", " "])("%j is rejected", (name) => {
    expect(violated({ name })).toEqual(["provider-name"]);
  });

  it("has a schema pattern that matches the same names as the rule", () => {
    const { pattern } = (nameRule.schema.properties as { name: { pattern: string } }).name;
    for (const name of ["Ada Example", "Ada", "愛達 Example", "\u00a0Ada Example ", "Ada Example."]) {
      expect(new RegExp(pattern).test(name), name).toBe(violated({ name }).length === 0);
    }
  });
});

describe("an address", () => {
  it("is split at commas and line breaks", () => {
    const text = "Flat 1, Tower 2\n38 Example Road,\r\n Hong Kong, 999077, hk";
    expect(violated({ contactAddress: text })).toEqual([]);
    expect(splitAddress(text)).toEqual({
      line1: "Flat 1",
      line2: "Tower 2, 38 Example Road",
      city: "Hong Kong",
      postcode: "999077",
      country: "HK",
    });
  });

  it.each([
    "38 Example Road",
    "Hong Kong, 999077, HK",
    "38 Example Road, Hong Kong, 999077, Hong Kong",
    ",,,",
  ])("%j is rejected", (contactAddress) => {
    expect(violated({ contactAddress })).toEqual(["provider-address"]);
  });
});

it("a document without an expiry date is rejected", () => {
  expect(violated({ documentPermanentlyValid: true })).toEqual(["provider-field"]);
});

it("the member id is not carried", () => {
  const places = Object.keys(airwallexCapabilities.fields);
  expect(places).not.toContain("memberId");
  expect(Object.keys(kycSubmission.shape)).toContain("memberId");
});
