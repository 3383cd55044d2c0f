import type { JsonSchema } from "@cardbridge/domain";
import * as z from "zod";
import type { Route } from "../rest/routes.ts";

type Schemas = Record<string, JsonSchema>;

/** Converts a schema with an id into JSON Schema components, with the components that it references. */
function components(schema: z.ZodType, io: "input" | "output"): { id: string; schemas: Schemas } {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, override: loosen }));
  const { $ref, $defs } = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/"));
  if ($ref === undefined) throw new Error("A published schema needs an id: .meta({ id })");
  return { id: $ref.split("/").at(-1), schemas: $defs };
}

/** Leaves objects open, because responses may gain fields (gap G23), and removes zod's safe-integer bounds. */
function loosen({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** The input of a route with its fields and the rules between them. */
export function inputComponents({ operation }: Route): { id: string; schemas: Schemas } {
  const { id, schemas } = components(operation.input, "input");
  const rules = operation.rules.map((rule) => ({
    ...rule.schema,
    "x-rule": rule.id,
    "x-section": rule.section,
  }));
  if (rules.length === 0) return { id, schemas };
  const description = [
    "Rules between the fields:",
    "",
    ...operation.rules.map((rule) => `- ${rule.description}`),
  ].join("\n");
  return { id, schemas: { ...schemas, [id]: { ...schemas[id], description, allOf: rules } } };
}

export function outputComponents(schema: z.ZodType): { id: string; schemas: Schemas } {
  return components(schema, "output");
}
