import { document } from "./document.ts";

/** A JSON Schema of the OpenAPI document, as far as its pages show it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | boolean | null)[];
  const?: unknown;
  default?: unknown;
  "x-known-values"?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  "x-rule"?: string;
}

/** The schema itself, also of a reference to a component of the document. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...component($ref.split("/").at(-1) ?? ""), ...own };
}

/**
 * A component of the document by its name, such as `KycSubmission`.
 *
 * @throws if the document does not have it
 */
function component(name: string): Schema {
  const found = (document.components.schemas as Record<string, Schema>)[name];
  if (!found) throw new Error(`The document has no schema ${name}`);
  return found;
}

/** The schema without `null`, and whether it allows `null`. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const { anyOf, type, ...rest } = resolve(schema);
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== "null");
    const only = types.length === 1 ? types[0] : types;
    return { schema: { ...rest, ...(only && { type: only }) }, nullable: types.length < type.length };
  }
  const isNull = (part: Schema) => part.type === "null" || part.const === null;
  const others = anyOf?.filter((part) => !isNull(part)) ?? [];
  if (anyOf && others.length < anyOf.length && others.length === 1)
    return { schema: { ...resolve(others[0] ?? {}), ...rest }, nullable: true };
  return { schema: { ...rest, ...(anyOf && { anyOf }), ...(type && { type }) }, nullable: false };
}
