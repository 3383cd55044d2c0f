import type * as z from "zod";
import { inputSchemaOf } from "./input-schema.ts";
import { isRecord } from "./is-record.ts";
import type { Violation } from "./violations.ts";

/**
 * Shortens the arrays of an input that are longer than their schema allows, and returns a violation for each. The
 * checks of the items beyond the limit would cost everyone's time.
 *
 * @param schema the schema of an object; only the arrays among its own fields are shortened
 */
export function limitArrays<T>(schema: z.ZodType, raw: T): { input: T; violations: Violation[] } {
  const violations: Violation[] = [];
  if (!isRecord(raw)) return { input: raw, violations };
  const shortened: Record<string, unknown> = {};
  for (const [name, { maxItems }] of Object.entries(inputSchemaOf(schema).properties)) {
    const items = raw[name];
    if (typeof maxItems !== "number" || !Array.isArray(items) || items.length <= maxItems) continue;
    shortened[name] = items.slice(0, maxItems);
    const message = `Send at most ${maxItems} items. Only the first ${maxItems} were checked.`;
    violations.push({ path: [name], rule: "max-items", message });
  }
  return { input: violations.length === 0 ? raw : { ...raw, ...shortened }, violations };
}
