import { resolve, type Schema, withoutNull } from "../document/schema.ts";
import { typeInWords } from "../document/type-words.ts";
import { code, tableOf } from "./rows.ts";

/** A field of a schema. A field of an object has the object's name and a dot before its own: `data.status`. */
interface Field {
  name: string;
  schema: Schema;
  presence: "required" | "conditional" | "optional";
}

/** Whether a body or a request has to have a field or a parameter, in words. */
export const presences = { required: "yes", conditional: "conditional", optional: "no" } as const;

/** The table of the fields of a body, for callers that write it. `rulesList` has the rules of its conditional fields. */
export function fieldsTable(schema: Schema): string {
  const rows = fieldsOf(schema).map(({ name, schema: field, presence }) => [
    code(name),
    typeInWords(field),
    presences[presence],
    meaningOf(field),
  ]);
  return tableOf(["Field", "Type", "Required", "Meaning"], rows);
}

/** The table of the fields of a response, for callers that read it. */
export function responseTable(schema: Schema): string {
  const rows = fieldsOf(schema).map(({ name, schema: field, presence }) => [
    code(name),
    `${typeInWords(field)}${presence === "required" ? "" : ", optional"}`,
    meaningOf(field),
  ]);
  return tableOf(["Field", "Type", "Meaning"], rows);
}

/** The rules between the fields of a body as a list, or an empty text. */
export function rulesList(schema: Schema): string {
  const { allOf, description = "" } = resolve(schema);
  return allOf ? description.slice(description.indexOf("- ")) : "";
}

/** All fields of a schema, with those of its objects and of the items of its arrays. */
function fieldsOf(schema: Schema, prefix = ""): Field[] {
  const { properties = {}, required = [], allOf = [] } = objectOf(schema);
  const conditional = new Set(allOf.flatMap(requiredByRule));
  return Object.entries(properties).flatMap(([key, field]): Field[] => {
    const name = prefix + key;
    const presence = required.includes(key) ? "required" : conditional.has(key) ? "conditional" : "optional";
    return [{ name, schema: field, presence }, ...fieldsOf(field, `${name}${suffixOf(field)}.`)];
  });
}

/** The object that a schema is, or that the items of an array are. */
function objectOf(schema: Schema): Schema {
  const { schema: value } = withoutNull(schema);
  return value.items ? objectOf(value.items) : value;
}

const suffixOf = (schema: Schema) => (withoutNull(schema).schema.items ? "[]" : "");

/** The fields that a rule requires in some case. What is below `not` is the case itself. */
const requiredByRule = ({ required = [], anyOf = [], oneOf = [], allOf = [] }: Schema): string[] => [
  ...required,
  ...[...anyOf, ...oneOf, ...allOf].flatMap(requiredByRule),
];

/** The description of a field in one line. */
function meaningOf(field: Schema): string {
  const { schema } = withoutNull(field);
  const description = resolve(field).description ?? schema.description;
  return description?.replaceAll("\n", " ") ?? (schema.properties ? "Its fields follow." : "");
}
