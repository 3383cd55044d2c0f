import {
  card,
  type JsonSchema,
  kycHistoryEntry,
  kycReason,
  type Rule,
  supportingDocument,
  webhookDelivery,
  webhookEndpoint,
  webhookEvents,
} from "@cardbridge/domain";
import type { Operation } from "@cardbridge/service";
import * as z from "zod";

type Schemas = Record<string, JsonSchema>;

/** The schemas within inputs and outputs that are separate components. */
const parts = {
  input: [supportingDocument],
  output: [
    card,
    kycHistoryEntry,
    kycReason,
    webhookDelivery,
    webhookEndpoint,
    ...Object.values(webhookEvents).map(({ data }) => data),
  ],
};

/**
 * Converts zod schemas and their parts into JSON Schema components by id, with OpenAPI references.
 * @throws Error for a part that is not in `parts`.
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

/** The published form of a single field. */
export function published(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json;
}

/** The formats of JSON Schema in use. Validators of clients warn of others. */
const standardFormats: readonly unknown[] = ["date", "date-time", "email", "uri"];

/** A published schema by itself: an object, with its parts among its own definitions. */
export function standalone(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $ref,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    override(context) {
      loosen(context);
      if (!standardFormats.includes(context.jsonSchema.format)) delete context.jsonSchema.format;
    },
  });
  const { [$ref?.replace("#/$defs/", "") ?? ""]: named, ...parts } = $defs;
  const { $schema: _, ...own } = named ?? root;
  return { ...own, ...(Object.keys(parts).length > 0 ? { $defs: parts } : {}) };
}

/** The published id of a schema. */
export function idOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error("A published schema needs an id: .meta({ id })");
  return id;
}

/**
 * Leaves objects and enumerations with known values open, because responses may gain both (gap G23). Removes what the
 * formats already express: zod's safe-integer bounds, its pattern of times, which engines evaluate differently, and the
 * content encoding of files, because of which generators treat a file as text.
 */
function loosen({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema.format === "binary") delete jsonSchema.contentEncoding;
  if ("x-known-values" in jsonSchema) delete jsonSchema.enum;
  delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** The inputs of operations, with the rules between their fields, by id. */
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
    description: ["Rules between the fields:", "", ...rules.map((rule) => `- ${rule.description}`)].join(
      "\n",
    ),
    allOf: rules.map(({ schema, id, section, inWords }) => ({
      ...schema,
      "x-rule": id,
      "x-section": section,
      ...(inWords === undefined ? {} : { "x-rule-in-words": inWords }),
    })),
  };
}
