import { inputSchemaOf, type ObjectSchema } from "../input/input-schema.ts";
import { remainingOf } from "../input/remaining-schema.ts";
import type { JsonSchema } from "../input/rule.ts";
import { lossOfField, type ProviderCapabilities } from "./capabilities.ts";
import { limitsOf } from "./field-limits.ts";
import { decideHongKong } from "./hong-kong-decision.ts";
import type { Policies } from "./policies.ts";
import type { FieldRequirement, KnownFields, KycRequirements } from "./requirements.ts";
import { kycRules } from "./rules.ts";
import { kycSubmission } from "./submission.ts";
import { filesOf } from "./submission-files.ts";

/**
 * Describes what the submission of a user needs of whom these fields are known. Everything derives from the published
 * schema of the body and from its rules, which are evaluated as far as the known fields decide them.
 */
export function describeRequirements(policies: Policies, known: KnownFields): KycRequirements {
  const rules = kycRules(policies).map((rule) => ({
    ...rule,
    remaining: remainingOf(rule.schema, known) ?? [{ not: {} }],
  }));
  const knownValues = Object.entries(known).map(([field, value]) => [field, { const: value }]);
  const parts = [
    ...rules.flatMap(({ id, remaining }) => remaining.map((schema) => ({ id, schema }))),
    { id: "", schema: { properties: Object.fromEntries(knownValues) } },
  ];
  return {
    hongKong: decideHongKong(policies, known),
    fields: fieldsOf(body, parts).map(({ constraints, ...field }) => {
      const items = objectIn(constraints);
      if (items === undefined) return { ...field, ...lossOf(policies.capabilities, field.name) };
      const inner = itemFields(field.name, items, constraints).map((one) => ({
        ...one,
        ...lossOf(policies.capabilities, `${field.name}.${one.name}`),
      }));
      return { ...field, fields: inner };
    }),
    rules: rules
      .filter(({ remaining, inWords }) => inWords !== undefined || !remaining.every(isOfFields))
      .map(({ id, description, inWords }) => ({ id, description, ...(inWords ? { inWords } : {}) })),
  };
}

/** Whether a schema says nothing but which fields there are, and what each of them is. */
const isOfFields = (schema: JsonSchema) =>
  Object.keys(schema).every((keyword) => keyword === "required" || keyword === "properties");

const body = inputSchemaOf(kycSubmission);

/** A schema that a rule demands. */
interface Part {
  id: string;
  schema: JsonSchema;
}

type Field = FieldRequirement & { constraints: readonly JsonSchema[] };

/** The fields of an object under further schemas that all have to hold. */
function fieldsOf(object: ObjectSchema, parts: readonly Part[]): Field[] {
  const needed = new Set([...object.required, ...parts.flatMap(({ schema }) => list(schema.required))]);
  return Object.entries(object.properties).map(([name, schema]) => {
    const constraints = [schema, ...parts.flatMap((part) => propertyOf(part.schema, name))];
    const conditions = parts.filter((part) => mentions(part.schema, name)).map(({ id }) => id);
    const presence = needed.has(name) ? "required" : conditions.length > 0 ? "conditional" : "optional";
    return {
      name,
      presence,
      ...(presence === "conditional" ? { conditions } : {}),
      ...limitsOf(constraints),
      ...purposeOf({ [name]: "" }),
      constraints,
    };
  });
}

function itemFields(
  name: string,
  items: ObjectSchema,
  constraints: readonly JsonSchema[],
): FieldRequirement[] {
  const parts = constraints
    .slice(1)
    .flatMap(({ items }) => (isSchema(items) ? [{ id: "", schema: items }] : []));
  return fieldsOf(items, parts).map(({ constraints: _, ...field }) => ({
    ...field,
    ...purposeOf({ [name]: [{ [field.name]: "" }] }),
  }));
}

/** The purpose of the only file in a part of a body. */
function purposeOf(part: JsonSchema): Pick<FieldRequirement, "filePurpose"> {
  const [file] = filesOf(part);
  return file ? { filePurpose: file.purpose } : {};
}

/** What the provider does not get of a field. */
function lossOf(capabilities: ProviderCapabilities, field: string): Pick<FieldRequirement, "notForwarded"> {
  const loss = lossOfField(capabilities, field);
  return loss === undefined ? {} : { notForwarded: loss };
}

const list = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);
const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema[] {
  const schema = isSchema(properties) ? properties[name] : undefined;
  return isSchema(schema) ? [schema] : [];
}

/** The schema of the items where a value is an array of objects. */
function objectIn([own]: readonly JsonSchema[]): ObjectSchema | undefined {
  return isSchema(own?.items) ? (own.items as ObjectSchema) : undefined;
}

/** Whether a schema requires the field anywhere. */
function mentions(schema: unknown, field: string): boolean {
  if (Array.isArray(schema)) return schema.some((part) => mentions(part, field));
  if (!isSchema(schema)) return false;
  return list(schema.required).includes(field) || Object.values(schema).some((part) => mentions(part, field));
}
