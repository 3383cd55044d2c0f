import type { z } from "zod";
import type { Rule } from "./rule.ts";
import { toViolations, type Violation } from "./violations.ts";

export type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/**
 * Parses an input once, where it enters. The fields' own checks and the rules between fields both run on
 * the raw input, whatever the other found, so that all violations are reported together.
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
