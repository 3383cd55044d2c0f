import * as z from "zod";
import { isRecord } from "./parse.ts";
import type { JsonSchema } from "./rule.ts";

/** An object's JSON Schema (draft 2020-12), without references. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The JSON Schema of the input of a zod object, with every reference replaced by its definition. */
export function inputSchemaOf(schema: z.ZodObject): ObjectSchema {
  const { $defs = {}, ...published } = z.toJSONSchema(schema, { io: "input" });
  const { properties = {}, required = [], ...rest } = inlined(published, $defs) as Partial<ObjectSchema>;
  return { ...rest, properties, required };
}

function inlined(part: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, definitions));
  if (!isRecord(part)) return part;
  const { $ref, ...rest } = part;
  const named = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : {};
  const entries = Object.entries({ ...(named as JsonSchema), ...rest });
  return Object.fromEntries(entries.map(([key, value]) => [key, inlined(value, definitions)]));
}
