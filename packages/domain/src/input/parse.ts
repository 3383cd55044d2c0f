import type { z } from "zod";
import type { Rule } from "./rule.ts";
import { toViolations, type Violation } from "./violations.ts";

export type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/**
 * Parses a raw input. The checks of fields and the rules between fields both run on the raw input, so that the result
 * contains all violations.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  rules: readonly Rule[],
  raw: unknown,
): Parsed<z.output<S>> {
  const parsed = schema.safeParse(raw);
  const violations = [
    ...(parsed.success ? [] : toViolations(parsed.error.issues, raw)),
    ...(isRecord(raw) ? rules.flatMap((rule) => rule.check(raw)) : []),
  ];
  if (parsed.success && violations.length === 0) return { ok: true, value: parsed.data };
  return { ok: false, violations };
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
