import { hongKongPolicies, type KnownFields, type KycRequirements } from "@cardbridge/domain";
import { createOperations, type Ports } from "@cardbridge/operations";
import fc from "fast-check";
import { expect, it } from "vitest";
import { aPlatformsCall, comparable, validateByBoth } from "./both.ts";
import { memoryWorld, policiesOf } from "./ports.ts";

/** Bodies that are built from `kyc.requirements` alone, for every policy on Hong Kong users (gap G29). */
type Field = Omit<KycRequirements["fields"][number], "fields"> & { fields?: Field[] | undefined };

const policies = Object.values(hongKongPolicies);
const documentType = ["passport", "id_card", "driver_license"] as const;
const countries = ["HK", "SG"];
const users = documentType.flatMap((type) =>
  countries.flatMap((documentCountry) =>
    countries.map((nationality): KnownFields => ({ documentType: type, documentCountry, nationality })),
  ),
);
const { ports, platformId } = memoryWorld();
const call = aPlatformsCall(platformId);

it.each(policies)(
  "a validation and a submission agree on every body of a form, with the Hong Kong policy $id",
  async (hongKong) => {
    const { kyc } = createOperations(policiesOf(hongKong));
    for (const known of users) {
      const { data } = await kyc.requirements.execute(ports, call, known);
      expect(data.hongKong).toMatchObject({ policy: hongKong.id, isHongKongUser: hongKong.holds(known) });
      for (const body of fc.sample(form(data), { numRuns: 25, seed: 1 })) {
        const rules = await rulesOf(kyc, ports, body);
        // Generated values cannot satisfy rules in words. A form satisfies all other rules.
        expect([body, rules.filter((rule) => !inWords(data).has(rule))]).toEqual([body, []]);
      }
    }
  },
);

it.each(policies)(
  "a form without a required field is invalid, with the Hong Kong policy $id",
  async (hongKong) => {
    const { kyc } = createOperations(policiesOf(hongKong));
    for (const known of users) {
      const { data } = await kyc.requirements.execute(ports, call, known);
      const [right = {}] = fc.sample(form(data), { numRuns: 1, seed: 2 });
      for (const { name, presence } of data.fields) {
        const { [name]: _, ...body } = right as Record<string, unknown>;
        const rules = await rulesOf(kyc, ports, body);
        const isMissed = rules.some((rule) => !inWords(data).has(rule));
        const isNeeded = presence === "required" || (presence === "conditional" && name in right);
        expect([known, name, isMissed]).toEqual([known, name, isNeeded]);
      }
    }
  },
);

/** The rules that a body violates, which the validation and the submission report equally. */
async function rulesOf(kyc: ReturnType<typeof createOperations>["kyc"], to: Ports, body: object) {
  const { validated, submitted } = await validateByBoth(kyc, to, call, body);
  expect(comparable(validated)).toEqual(submitted);
  return submitted.errors.map((error) => (error as { rule: string }).rule);
}

/** The rules that a form cannot check: the dates, and hosts that are not public. */
const inWords = ({ rules }: KycRequirements) =>
  new Set(rules.filter((rule) => rule.inWords).map(({ id }) => id));

/** A form: required fields, some optional ones, and one of the fields that share a condition. */
function form({ fields }: KycRequirements): fc.Arbitrary<object> {
  const conditional = fields.filter(({ presence }) => presence === "conditional");
  return fc.tuple(objectOf(fields), fc.nat(Math.max(conditional.length - 1, 0))).map(([object, chosen]) => {
    const others = new Set(conditional.filter((_, index) => index !== chosen).map(({ name }) => name));
    return Object.fromEntries(Object.entries(object).filter(([name]) => !others.has(name)));
  });
}

function objectOf(fields: readonly Field[]): fc.Arbitrary<object> {
  const values = fields.map((field) => [field.name, valueFor(field)] as const);
  const requiredKeys = fields.filter(({ presence }) => presence !== "optional").map(({ name }) => name);
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys });
}

function valueFor({
  fields,
  values,
  patterns = [],
  minLength = 0,
  maxLength,
  minItems = 0,
  maxItems = 10,
  ...field
}: Field) {
  if (values) return fc.constantFrom(...values);
  if (fields) return fc.array(objectOf(fields), { minLength: minItems, maxLength: Math.min(maxItems, 2) });
  const expressions = patterns.map((pattern) => new RegExp(pattern, "u"));
  // A form contains values for the field's purpose: an upload's URL, and visible text.
  const text = field.filePurpose
    ? fc.webUrl({ validSchemes: ["https"] })
    : field.inWords
      ? fc.string({ minLength: 1, maxLength: maxLength ?? 20, unit: fc.constantFrom(..."Aé名") })
      : fc.stringMatching(expressions[0] ?? /^.*$/);
  return text.filter(
    (value) =>
      expressions.every((expression) => expression.test(value)) &&
      [...value].length >= minLength &&
      [...value].length <= (maxLength ?? Number.POSITIVE_INFINITY),
  );
}
