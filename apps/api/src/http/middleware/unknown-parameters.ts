import { isRecord, plainName, type Violation } from "@cardbridge/domain";
import { closestMatch } from "leven";
import * as z from "zod";

/** The names of a schema's fields. */
export function fieldNames(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/**
 * Violations for unknown query parameters (gap G4), because a mistyped filter would return everything. The unknown
 * name is never repeated, because it may be personal data. A similar known name identifies it.
 */
export function unknownParameters(sent: Iterable<string>, known: readonly string[]): Violation[] {
  const unknown = [...new Set(sent)].filter((name) => !known.includes(name));
  const messages = new Set(unknown.map((name) => describe(name, known)));
  return [...messages].map((message) => ({ path: [], rule: "unknown-parameter", message }));
}

/** The known fields of a read's input, and the violations for the others. */
export function knownFields(
  input: unknown,
  known: readonly string[],
): { input: unknown; violations: Violation[] } {
  if (!isRecord(input)) return { input, violations: [] };
  const fields = Object.entries(input).filter(([name]) => known.includes(name));
  return { input: Object.fromEntries(fields), violations: unknownParameters(Object.keys(input), known) };
}

function describe(name: string, known: readonly string[]): string {
  if (known.length === 0) return "Omit the parameters. This operation has none in its query.";
  const similar = similarName(name, known);
  const nearest = similar === undefined ? "" : `; the nearest known one is ${similar}`;
  return `A parameter is unknown${nearest}. Known parameters: ${known.join(", ")}.`;
}

/** The known name from which a third of the letters differ at most. Case, _ and - do not count. */
function similarName(name: string, known: readonly string[]): string | undefined {
  const names = new Map(known.map((one) => [plainName(one), one]));
  const plain = plainName(name);
  const nearest = closestMatch(plain, [...names.keys()], { maxDistance: Math.floor(plain.length / 3) });
  return nearest === undefined ? undefined : names.get(nearest);
}
