import { capabilityRules, defaultPolicies, describeRequirements, kycSubmission } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { splitAddress } from "../../src/airwallex/addresses.ts";
import { isCountry } from "../../src/airwallex/countries.ts";
import { nameRule, splitName } from "../../src/airwallex/names.ts";
import { airwallexCapabilities } from "../../src/index.ts";

const rules = capabilityRules(airwallexCapabilities);
const violations = (input: object) => rules.flatMap(({ check }) => check({ ...input }));
const violated = (input: object) => violations(input).map(({ rule }) => rule);

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
  const hongKong = { city: "Hong Kong", postcode: "999077", country: "HK" };

  it.each([
    ["38 Example Road, Hong Kong, 999077, hk", { line1: "38 Example Road", ...hongKong }],
    [
      "Flat 5, 10/F, Tower 2,\r\n38 Example Road\n\n Hong Kong,\n999077\nHK\n",
      { line1: "Flat 5, 10/F, Tower 2", line2: "38 Example Road", ...hongKong },
    ],
    [
      "Unit 2, 44 Example Street\nMelbourne\nvic\n3121\nau",
      {
        line1: "Unit 2, 44 Example Street",
        city: "Melbourne",
        state: "VIC",
        postcode: "3121",
        country: "AU",
      },
    ],
    [
      "10 Example Street, London, SW1A 2AA, GB",
      { line1: "10 Example Street", city: "London", postcode: "SW1A 2AA", country: "GB" },
    ],
    [
      "Damrak 1, Amsterdam, 1012 LG, NL",
      { line1: "Damrak 1", city: "Amsterdam", postcode: "1012 LG", country: "NL" },
    ],
    [
      "Brīvības 1, Rīga, LV-1010, LV",
      { line1: "Brīvības 1", city: "Rīga", postcode: "LV-1010", country: "LV" },
    ],
  ])("%j is split into its parts", (text, address) => {
    expect(violated({ contactAddress: text })).toEqual([]);
    expect(splitAddress(text)).toEqual({ address });
  });

  const country = "The last part is not a country code. Send an ISO 3166-1 code of two letters.";
  const count = "The number of parts does not fit.";
  const postcode = "The part before the country is not a postcode.";
  const state = "The part before the postcode is not a state code.";
  const city = "The part of the city contains a digit or a comma.";

  it.each([
    ["38 Example Road", country],
    ["38 Example Road, Hong Kong, 999077, Hong Kong", country],
    ["38 Example Road, Hong Kong, 999077, XX", country],
    [
      "10 Example Street, London, SW1A 2AA, UK",
      "The last part is not a country code. Send GB for the United Kingdom.",
    ],
    [",,,", country],
    ["Hong Kong, 999077, HK", count],
    ["38 Example Road, , 999077, HK", count],
    ["Flat 5, 10/F, 38 Example Road, Hong Kong, 999077, HK", count],
    ["12 Jalan Example, George Town, Penang, 10000, MY", count],
    ["1 Market Street, San Francisco, CA 94105, US", count],
    ["a\nb\nc\nHong Kong\n999077\nHK", count],
    ["38 Example Road, Central, Hong Kong, HK", postcode],
    ["Beispielstr. 1, Mitte, 10115 Ulm, DE", postcode],
    ["Beispielstr. 1, Mitte, Ulm 89073, DE", postcode],
    ["1 Market Street, Suite A, San Francisco, 94105, US", state],
    ["1 Market Street, San Francisco, California, 94105, US", state],
    ["1 Market Street\nSan Francisco, CA\n94105\nUS", count],
    ["1 Market Street\nSuite 2\nSan Francisco, CA\nCA\n94105\nUS", city],
    ["38 Example Road, Tower 2, 999077, HK", city],
  ])("%j is rejected", (contactAddress, fault) => {
    expect(splitAddress(contactAddress)).toEqual({ fault });
    const [violation, ...others] = violations({ contactAddress });
    expect(others).toEqual([]);
    expect(violation).toMatchObject({ path: ["contactAddress"], rule: "provider-address" });
    expect(violation?.message).toContain(`${fault} Send street, city, postcode and two-letter country code`);
    expect(violation?.message).toContain("1 Market Street, San Francisco, CA, 94105, US.");
  });

  it("is never quoted", () => {
    const message = violations({ contactAddress: "SECRET Road, SECRET, SECRET" })[0]?.message;
    expect(message).not.toContain("SECRET");
  });
});

describe("a country", () => {
  it("is a code that ISO 3166-1 assigns", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const assigned = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
    expect(assigned).toHaveLength(249);
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(assigned.filter((code) => names.of(code) === undefined)).toEqual([]);
    expect(["UK", "EU", "XX", "ZZ", "AC"].filter(isCountry)).toEqual([]);
  });

  it.each(["documentCountry", "nationality"])("of %s is rejected if it is not assigned", (field) => {
    const rejection = { path: [field], rule: "provider-country", message: "Send GB for the United Kingdom." };
    expect(violations({ [field]: "uk" })).toEqual([rejection]);
    const message = "Send an ISO 3166-1 code of two letters.";
    expect(violations({ [field]: "XX" })).toMatchObject([{ message }]);
    // The common rules report a value that is not a code.
    for (const value of ["gb", "Hong Kong"]) expect(violated({ [field]: value })).toEqual([]);
  });
});

it("the requirements describe the rules of names, countries and addresses", () => {
  const policies = { ...defaultPolicies, capabilities: airwallexCapabilities };
  const described = describeRequirements(policies, {}).rules;
  expect(described).toContainEqual(expect.objectContaining({ id: "provider-country" }));
  expect(described.find(({ id }) => id === "provider-address")).toMatchObject({
    inWords: expect.stringContaining("each on a line of its own, with up to two lines for the street"),
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
