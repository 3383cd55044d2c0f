import type { JsonSchema, Rule } from "../input/rule.ts";
import {
  isValid,
  type ProviderCapabilities,
  type SubmissionField,
  type ValueLimits,
  valuesOf,
} from "./capabilities.ts";

/** A limit of a string value, as a schema, a check and a message. */
interface Limit {
  schema: JsonSchema;
  holds(value: string): boolean;
  message: string;
}

/** The rules that a provider's capabilities add to a submission; none for a provider without limits. */
export function capabilityRules({ fields, rules = [] }: ProviderCapabilities): Rule[] {
  const limited = Object.entries(fields) as [SubmissionField, ValueLimits][];
  const limits = limited.flatMap(([field, support]) =>
    limitsOf(support).map((limit) => ({ field, ...limit })),
  );
  const refused = Object.entries(fields).flatMap(([field, support]) =>
    "refused" in support ? [field.split(".")[0] ?? field] : [],
  );
  return [
    ...(limits.length > 0 ? [limitsRule(limits)] : []),
    ...(refused.length > 0 ? [absenceRule([...new Set(refused)])] : []),
    ...rules,
  ];
}

function limitsOf({ values, countries, maxLength }: ValueLimits): Limit[] {
  return [
    ...(values ? [valuesLimit(values)] : []),
    ...(countries ? [countriesLimit(countries)] : []),
    ...(maxLength === undefined ? [] : [lengthLimit(maxLength)]),
  ];
}

const valuesLimit = (values: readonly string[]): Limit => ({
  schema: { enum: values },
  holds: (value) => values.includes(value),
  message: `The card provider accepts only: ${values.join(", ")}.`,
});

/** Callers send countries in upper or lower case. */
function countriesLimit(countries: readonly string[]): Limit {
  const either = (letter: string) => `[${letter}${letter.toLowerCase()}]`;
  const pattern = `^(?:${countries.map((country) => [...country].map(either).join("")).join("|")})$`;
  return {
    schema: { pattern, maxLength: 2 },
    holds: (value) => countries.includes(value.toUpperCase()),
    message: "The card provider does not accept this country.",
  };
}

const lengthLimit = (maxLength: number): Limit => ({
  schema: { maxLength },
  holds: (value) => [...value].length <= maxLength,
  message: `The card provider accepts at most ${maxLength} characters.`,
});

function limitsRule(limits: readonly (Limit & { field: SubmissionField })[]): Rule {
  const id = "provider-limit";
  return {
    id,
    section: "G34",
    description: "The card provider accepts the value of each field.",
    schema: { properties: propertiesOf(limits) },
    check: (input) =>
      limits.flatMap(({ field, holds, message }) =>
        valuesOf(input, field)
          // An invalid value already has a violation of its field.
          .filter(({ value }) => isValid(field, value) && !holds(String(value)))
          .map(({ path }) => ({ path, rule: id, message })),
      ),
  };
}

function absenceRule(fields: readonly string[]): Rule {
  const id = "provider-field";
  return {
    id,
    section: "G34",
    description: `Omit the fields that the card provider does not accept: ${fields.join(", ")}.`,
    schema: { not: { anyOf: fields.map((field) => ({ required: [field] })) } },
    requires: { fields, decide: () => null },
    check: (input) =>
      fields
        .filter((field) => input[field] !== undefined)
        .map((field) => ({
          path: [field],
          rule: id,
          message: "Omit this field: the card provider does not accept it.",
        })),
  };
}

/** The schemas of the limited fields. Linters that check examples expect every field of an item. */
function propertiesOf(limits: readonly (Limit & { field: SubmissionField })[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  let item: Record<string, JsonSchema> | undefined;
  for (const { field, schema } of limits) {
    const [name = "", inner] = field.split(".");
    if (inner === undefined) {
      properties[name] = { ...properties[name], ...schema };
    } else {
      item ??= { documentType: {}, fileUrl: {} };
      item[inner] = { ...item[inner], ...schema };
      properties[name] = { items: { properties: item } };
    }
  }
  return properties;
}
