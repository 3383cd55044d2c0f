import * as z from "zod";
import { isRecord } from "./is-record.ts";
import type { JsonSchema } from "./rule.ts";

/** An object's JSON Schema (draft 2020-12), without references. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The converted schemas. A conversion costs more than a validation. */
const converted = new WeakMap<z.ZodType, ObjectSchema>();

/** The JSON Schema of an input, with every reference replaced by its definition. */
export function inputSchemaOf(schema: z.ZodType): ObjectSchema {
  const known = converted.get(schema);
  if (known) return known;
  const { $defs = {}, ...published } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { properties = {}, required = [], ...rest } = inlined(published, $defs) as Partial<ObjectSchema>;
  const found = { ...rest, properties, required };
  converted.set(schema, found);
  return found;
}

function inlined(part: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, definitions));
  if (!isRecord(part)) return part;
  const { $ref, ...rest } = part;
  const named = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : {};
  const entries = Object.entries({ ...(named as JsonSchema), ...rest });
  return Object.fromEntries(entries.map(([key, value]) => [key, inlined(value, definitions)]));
}
