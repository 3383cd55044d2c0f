import * as z from "zod";
import { isRecord } from "./parse.ts";

/**
 * Shortens the arrays of an input that are longer than their schema allows to one item above the limit. Their length is
 * then the violation, and the checks of the other items cost no time.
 *
 * @param schema the schema of an object; only the arrays among its own fields are shortened
 */
export function limitArrays<T>(schema: z.ZodType, raw: T): T {
  if (!isRecord(raw)) return raw;
  const shortened = maxItemsOf(schema).flatMap(([name, max]) => {
    const items = raw[name];
    return Array.isArray(items) && items.length > max ? [[name, items.slice(0, max + 1)]] : [];
  });
  return shortened.length === 0 ? raw : { ...raw, ...Object.fromEntries(shortened) };
}

/** The limits of each schema. A conversion to JSON Schema costs more than a validation. */
const limits = new WeakMap<z.ZodType, [name: string, max: number][]>();

function maxItemsOf(schema: z.ZodType): [name: string, max: number][] {
  const known = limits.get(schema);
  if (known) return known;
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const found = fields.flatMap(([name, field]): [name: string, max: number][] => {
    const { maxItems } = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" });
    return maxItems === undefined ? [] : [[name, maxItems]];
  });
  limits.set(schema, found);
  return found;
}
