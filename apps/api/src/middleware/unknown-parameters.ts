import type { Violation } from "@cardbridge/domain";
import { closestMatch } from "leven";
import * as z from "zod";

/** The names of a schema's fields. */
export function fieldNames(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/**
 * Violations for unknown query parameters (gap G4), because a mistyped filter would return everything. The unknown
 * name is never repeated, because it may be personal data. The nearest known name identifies it.
 */
export function unknownParameters(sent: Iterable<string>, known: readonly string[]): Violation[] {
  const unknown = [...new Set(sent)].filter((name) => !known.includes(name));
  const messages = new Set(unknown.map((name) => describe(name, known)));
  return [...messages].map((message) => ({ path: [], rule: "unknown-parameter", message }));
}

function describe(name: string, known: readonly string[]): string {
  const nearest = closestMatch(name, known);
  if (nearest === undefined) return "Omit the parameters. This operation has none in its query.";
  return `A parameter is unknown; the nearest known one is ${nearest}. Known parameters: ${known.join(", ")}.`;
}
