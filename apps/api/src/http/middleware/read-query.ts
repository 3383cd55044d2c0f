import { Failure, type Violation } from "@cardbridge/domain";
import * as z from "zod";
import { fieldNames, unknownParameters } from "./unknown-parameters.ts";

export interface Query<T> {
  values: Record<string, T>;
  /** Violations for repeated parameters and, in an operation's query, unknown parameters (gap G4). */
  violations: Violation[];
}

/**
 * Parses a URL's query strictly. Unknown parameters are only listed.
 * @throws Failure MALFORMED_REQUEST for invalid percent-encoding.
 */
export function readQuery(url: string, names: ReadonlySet<string>): Query<string> & { unknown: string[] } {
  const query = url.split("#", 1)[0]?.split("?").slice(1).join("?") ?? "";
  const values: Record<string, string> = {};
  const repeated = new Set<string>();
  const unknown: string[] = [];
  for (const pair of query.split("&").filter((text) => text !== "")) {
    const [name = "", ...rest] = pair.split("=");
    const key = decode(name);
    const value = decode(rest.join("="));
    if (!names.has(key)) {
      unknown.push(key);
      continue;
    }
    if (Object.hasOwn(values, key)) repeated.add(key);
    values[key] = value;
  }
  return { values, unknown, violations: [...repeated].map(onlyOnce) };
}

/**
 * Creates a query parser for an object schema. It converts integers in plain digits for integer fields (gap G6) and
 * leaves other values to the schema. `elsewhere` are fields that do not come from the query, such as those of the path.
 */
export function queryReader(
  schema: z.ZodType,
  elsewhere: readonly string[] = [],
): (url: string) => Query<unknown> {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const names = new Set(fieldNames(schema).filter((name) => !elsewhere.includes(name)));
  const integers = new Set(fields.filter(([, field]) => isInteger(field)).map(([name]) => name));
  const asNumber = (name: string, value: string) =>
    integers.has(name) && (isPlainInteger(value) || isFraction(value)) ? Number(value) : value;
  return (url) => {
    const { values, unknown, violations } = readQuery(url, names);
    const typed = Object.entries(values).map(([name, value]) => [name, asNumber(name, value)]);
    return {
      values: Object.fromEntries(typed),
      violations: [...violations, ...unknownParameters(unknown, [...names])],
    };
  };
}

const isPlainInteger = (text: string) => /^(0|-?[1-9][0-9]*)$/.test(text);

/** A fraction violates the same rule as in JSON. */
const isFraction = (text: string) => /^-?[0-9]+\.[0-9]+$/.test(text) && !Number.isInteger(Number(text));

function isInteger(field: unknown): boolean {
  return field instanceof z.ZodType && z.toJSONSchema(field, { io: "input" }).type === "integer";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    const message = "The query's percent-encoding is invalid or not UTF-8.";
    throw new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule: "percent-encoding", message }] });
  }
}

function onlyOnce(name: string): Violation {
  return { path: [name], rule: "single-value", message: "Send this parameter once." };
}
