import { card, type JsonSchema, kycHistoryEntry, type Rule, supportingDocument } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/operations";
import * as z from "zod";

type Schemas = Record<string, JsonSchema>;

/** Schemas within inputs and outputs that are components of their own. */
const parts = { input: [supportingDocument], output: [card, kycHistoryEntry] };

/**
 * The JSON Schemas of zod schemas and their parts, by their ids, with references as OpenAPI has them.
 * @throws Error for a part that `parts` does not list.
 */
export function components(schemas: readonly z.ZodType[], io: "input" | "output"): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const schema of new Set([...schemas, ...parts[io]])) registry.add(schema, { id: idOf(schema) });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { __shared: unlisted, ...all } = z.toJSONSchema(registry, { io, uri, override: loosen }).schemas;
  if (unlisted) throw new Error(`List these schemas among the parts: ${Object.keys(unlisted.$defs ?? {})}.`);
  return Object.fromEntries(
    Object.entries(all).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}

/** The id under which a schema is published. */
export function idOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error("A published schema needs an id: .meta({ id })");
  return id;
}

/** Answers may gain fields (gap G23), so no object is closed; zod's bounds of a safe integer say nothing. */
function loosen({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** The inputs of operations with the rules between their fields, by their ids. */
export function inputComponents(operations: readonly Operation[]): Schemas {
  const schemas = components(
    operations.map(({ input }) => input),
    "input",
  );
  for (const { input, rules } of operations) {
    const id = idOf(input);
    if (rules.length > 0) schemas[id] = { ...schemas[id], ...ruleKeywords(rules) };
  }
  return schemas;
}

function ruleKeywords(rules: readonly Rule[]): JsonSchema {
  return {
    description: ["Between the fields:", "", ...rules.map((rule) => `- ${rule.description}`)].join("\n"),
    allOf: rules.map((rule) => ({ ...rule.schema, "x-rule": rule.id, "x-section": rule.section })),
  };
}
