import type { z } from "zod";
import { isRecord } from "./is-record.ts";
import { limitArrays } from "./limit-arrays.ts";
import type { Rule } from "./rule.ts";
import { misspelledFields } from "./unknown-fields.ts";
import { toViolations, type Violation } from "./violations.ts";

export type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/**
 * Parses a raw input. The checks of fields and the rules between fields both run on the raw input, so that the result
 * contains all violations. Of an array that is too long, only the items up to its limit are checked.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  rules: readonly Rule[],
  raw: unknown,
): Parsed<z.output<S>> {
  const { input, violations: tooLong } = limitArrays(schema, raw);
  const parsed = schema.safeParse(input);
  const violations = [
    ...tooLong,
    ...(parsed.success ? [] : toViolations(parsed.error.issues, input)),
    ...misspelledFields(schema, input),
    ...(isRecord(input) ? rules.flatMap((rule) => rule.check(input)) : []),
  ];
  if (parsed.success && violations.length === 0) return { ok: true, value: parsed.data };
  return { ok: false, violations };
}
