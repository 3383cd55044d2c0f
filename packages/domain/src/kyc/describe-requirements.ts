import { inputSchemaOf } from "../input/input-schema.ts";
import type { JsonSchema, Rule } from "../input/rule.ts";
import { lossOfField, type ProviderCapabilities } from "./capabilities.ts";
import { decideHongKong } from "./hong-kong-decision.ts";
import type { Policies } from "./policies.ts";
import type { FieldRequirement, KnownFields, KycRequirements } from "./requirements.ts";
import { kycRules } from "./rules.ts";
import { kycSubmission } from "./submission.ts";
import { filesOf } from "./submission-files.ts";

/** A schema, by the keywords that describe fields. */
interface Schema extends JsonSchema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const body = inputSchemaOf(kycSubmission) as Schema;

/**
 * Describes the fields of a submission for a user with these known fields (G29). Limits come from the published schemas
 * of the body and its rules. A rule's `requires` decides whether a field is required.
 */
export function describeRequirements(policies: Policies, known: KnownFields): KycRequirements {
  const { capabilities } = policies;
  const rules = kycRules(policies);
  const values = Object.entries(known).map(([field, value]) => [field, { const: value }]);
  const schemas: Schema[] = [
    body,
    ...rules.map(({ schema }) => schema as Schema),
    { properties: Object.fromEntries(values) },
  ];
  return {
    hongKong: decideHongKong(policies, known),
    fields: namesIn(body).map((name) => {
      const presence = presenceOf(name, rules, known);
      const constraints = propertiesOf(schemas, name);
      const fields = fieldsOfItems(name, constraints, capabilities);
      // An empty list counts as absent (G30).
      if (fields && presence.presence === "required") constraints.push({ minItems: 1 });
      return {
        name,
        ...presence,
        ...limitsOf(constraints),
        ...purposeOf({ [name]: "" }),
        ...lossOf(capabilities, name),
        ...(fields && { fields }),
      };
    }),
    rules: rules
      .filter((rule) => !isInFields(rule, known))
      .map(({ id, description, inWords }) => ({
        id,
        description,
        ...(inWords !== undefined && { inWords }),
      })),
  };
}

function presenceOf(
  name: string,
  rules: readonly Rule[],
  known: KnownFields,
): Pick<FieldRequirement, "presence" | "conditions"> {
  const decisions = rules
    .filter(({ requires }) => requires?.fields.includes(name))
    .map(({ id, requires }) => ({ id, isRequired: requires?.decide(known) }));
  if (body.required?.includes(name) || decisions.some(({ isRequired }) => isRequired)) {
    return { presence: "required" };
  }
  const conditions = decisions.flatMap(({ id, isRequired }) => (isRequired === null ? [id] : []));
  return conditions.length > 0 ? { presence: "conditional", conditions } : { presence: "optional" };
}

/** Whether the fields express the whole rule. */
function isInFields({ schema, inWords, requires }: Rule, known: KnownFields): boolean {
  if (inWords !== undefined) return false;
  if (requires) return requires.decide(known) !== null;
  return Object.keys(schema).every((keyword) => keyword === "properties");
}

/** The fields of each item of an array of objects; undefined for any other field. */
function fieldsOfItems(
  name: string,
  constraints: readonly Schema[],
  capabilities: ProviderCapabilities,
): FieldRequirement[] | undefined {
  const schemas = constraints.flatMap<Schema>(({ items }) => items ?? []);
  const [own] = schemas;
  return (
    own &&
    namesIn(own).map((inner) => ({
      name: inner,
      presence: own.required?.includes(inner) ? "required" : "optional",
      ...limitsOf(propertiesOf(schemas, inner)),
      ...purposeOf({ [name]: [{ [inner]: "" }] }),
      ...lossOf(capabilities, `${name}.${inner}`),
    }))
  );
}

const namesIn = ({ properties = {} }: Schema) => Object.keys(properties);

const propertiesOf = (schemas: readonly Schema[], name: string) =>
  schemas.flatMap<Schema>(({ properties }) => properties?.[name] ?? []);

/** The purpose of the only file in a part of a body. */
function purposeOf(part: JsonSchema): Pick<FieldRequirement, "filePurpose"> {
  const [file] = filesOf(part);
  return file ? { filePurpose: file.purpose } : {};
}

/** The part of a field that the provider does not receive. */
function lossOf(capabilities: ProviderCapabilities, field: string): Pick<FieldRequirement, "notForwarded"> {
  const loss = lossOfField(capabilities, field);
  return loss === undefined ? {} : { notForwarded: loss };
}

/** The limits of a value that satisfies all these schemas. */
function limitsOf(constraints: readonly JsonSchema[]): Pick<FieldRequirement, "kind"> {
  const all = <T>(keyword: string) =>
    constraints.flatMap((schema) => (schema[keyword] === undefined ? [] : [schema[keyword] as T]));
  const values = [
    ...all<(string | boolean)[]>("enum"),
    ...all<string | boolean>("const").map((value) => [value]),
  ];
  const limits = {
    description: all<string>("description")[0],
    values:
      values.length > 0 ? values.reduce((some, more) => some.filter((one) => more.includes(one))) : undefined,
    minLength: largest(all<number>("minLength")),
    maxLength: smallest(all<number>("maxLength")),
    patterns: someOf(all<string>("pattern")),
    minItems: largest(all<number>("minItems")),
    maxItems: smallest(all<number>("maxItems")),
    inWords: someOf(all<string>("x-rule-in-words")),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { kind: all<string>("type")[0] ?? "string", ...Object.fromEntries(given) };
}

const largest = (limits: number[]) => (limits.length > 0 ? Math.max(...limits) : undefined);
const smallest = (limits: number[]) => (limits.length > 0 ? Math.min(...limits) : undefined);
const someOf = <T>(values: T[]) => (values.length > 0 ? values : undefined);
