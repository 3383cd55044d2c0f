import type * as z from "zod";
import { inputSchemaOf } from "./input-schema.ts";
import { isRecord } from "./is-record.ts";
import type { JsonSchema } from "./rule.ts";
import type { Violation } from "./violations.ts";

type Path = Violation["path"];

/** A field that a schema ignores. `meant` is the path of the known field whose name differs only in case, _ or -. */
interface UnknownField {
  path: Path;
  meant: Path | undefined;
}

/** The fields of an input that its schema ignores, at every depth. */
export function unknownFields(schema: z.ZodType, input: unknown): UnknownField[] {
  return find([inputSchemaOf(schema)], input, []);
}

/**
 * Violations for unknown fields that are spelled almost like a known one (G21), because the loss of an optional field
 * is seen days later. The path is that of the known field: an unknown name may be personal data.
 */
export function misspelledFields(schema: z.ZodType, input: unknown): Violation[] {
  const found = unknownFields(schema, input).flatMap(({ meant }) =>
    meant ? [[meant.join("/"), meant]] : [],
  );
  return [...new Map(found as [string, Path][]).values()].map((path) => ({
    path,
    rule: "misspelled-field",
    message: `Write the name of this field exactly as ${path.at(-1)}.`,
  }));
}

/** `schemas` are the variants of the value's schema. A field that one variant knows is known. */
function find(schemas: readonly JsonSchema[], value: unknown, path: Path): UnknownField[] {
  if (typeof value !== "object" || value === null) return [];
  const variants = schemas.flatMap(variantsOf);
  if (Array.isArray(value)) {
    const items = variants.flatMap((variant) => (isRecord(variant.items) ? [variant.items] : []));
    return value.flatMap((item, index) => find(items, item, [...path, index]));
  }
  if (variants.some((variant) => variant.additionalProperties !== undefined)) return [];
  const fields = variants.flatMap(({ properties }) => Object.entries((properties ?? {}) as JsonSchema));
  if (fields.length === 0) return [];
  const known = Map.groupBy(fields, ([name]) => name);
  const spellings = new Map([...known.keys()].map((name) => [plainName(name), name]));
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = known.get(name);
    if (own)
      return find(
        own.map(([, schema]) => schema as JsonSchema),
        inner,
        [...path, name],
      );
    const meant = spellings.get(plainName(name));
    return [{ path: [...path, name], meant: meant === undefined ? undefined : [...path, meant] }];
  });
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  const variants = schema.anyOf ?? schema.oneOf;
  return Array.isArray(variants) ? variants.flatMap(variantsOf) : [schema];
}

/** A name without what differs between spellings: case, _ and -. */
export const plainName = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();
