import type { JsonSchema, RawInput } from "./rule.ts";

/**
 * What remains of a JSON Schema once some fields of the input are known: schemas that all have to hold. It is empty
 * where the known fields satisfy the schema, and null where they violate it.
 */
export type Remaining = readonly JsonSchema[] | null;

/**
 * Evaluates a schema as far as the known fields decide it. It evaluates the keywords that rules use; any other keyword
 * remains as it is.
 */
export function remainingOf(schema: JsonSchema, known: RawInput): Remaining {
  const parts: JsonSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const remaining = keywords[keyword]?.(value as never, known);
    if (remaining === null) return null;
    parts.push(...(remaining ?? [{ [keyword]: value }]));
  }
  return parts;
}

type Keyword = (value: never, known: RawInput) => Remaining;

const keywords: Record<string, Keyword | undefined> = {
  required(fields: readonly string[], known) {
    const required = fields.filter((field) => known[field] === undefined);
    return required.length > 0 ? [{ required }] : [];
  },

  properties(fields: Readonly<Record<string, JsonSchema>>, known) {
    const judged = Object.entries(fields).map(([field, schema]) => ({
      field,
      schema,
      verdict: known[field] === undefined ? undefined : accepts(schema, known[field]),
    }));
    if (judged.some(({ verdict }) => verdict === false)) return null;
    const open = judged.filter(({ verdict }) => verdict === undefined);
    if (open.length === 0) return [];
    return [{ properties: Object.fromEntries(open.map(({ field, schema }) => [field, schema])) }];
  },

  not(schema: JsonSchema, known) {
    const inner = remainingOf(schema, known);
    if (inner === null) return [];
    return inner.length === 0 ? null : [{ not: together(inner) }];
  },

  anyOf(branches: readonly JsonSchema[], known) {
    const possible = possibleOf(branches, known);
    if (possible.some((parts) => parts.length === 0)) return [];
    const [only = null] = possible;
    return possible.length > 1 ? [{ anyOf: possible.map(together) }] : only;
  },

  oneOf(branches: readonly JsonSchema[], known) {
    const possible = possibleOf(branches, known);
    if (possible.filter((parts) => parts.length === 0).length > 1) return null;
    const [only = null] = possible;
    return possible.length > 1 ? [{ oneOf: possible.map(together) }] : only;
  },
};

function possibleOf(branches: readonly JsonSchema[], known: RawInput): (readonly JsonSchema[])[] {
  return branches.map((branch) => remainingOf(branch, known)).filter((remaining) => remaining !== null);
}

/** Schemas that all have to hold, as one. */
function together(parts: readonly JsonSchema[]): JsonSchema {
  const [only = {}] = parts;
  return parts.length > 1 ? { allOf: parts } : only;
}

/** Whether a schema accepts a value; undefined if a keyword is not evaluated here. */
function accepts(schema: JsonSchema, value: unknown): boolean | undefined {
  const verdicts = Object.entries(schema).map(([keyword, wanted]) => {
    switch (keyword) {
      case "type":
        return wanted === "string" ? typeof value === "string" : undefined;
      case "const":
        return value === wanted;
      case "enum":
        return (wanted as readonly unknown[]).includes(value);
      case "pattern":
        return typeof value !== "string" || new RegExp(wanted as string, "u").test(value);
      default:
        return undefined;
    }
  });
  return verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;
}
