import { Failure, type Violation } from "@cardbridge/domain";
import * as z from "zod";

export interface Query<T> {
  values: Record<string, T>;
  /** Violations for repeated parameters (gap G4). */
  violations: Violation[];
}

/**
 * Parses a URL's query strictly. Parameters with other names are ignored.
 * @throws Failure MALFORMED_REQUEST for invalid percent-encoding.
 */
export function readQuery(url: string, names: ReadonlySet<string>): Query<string> {
  const query = url.split("#", 1)[0]?.split("?").slice(1).join("?") ?? "";
  const values: Record<string, string> = {};
  const repeated = new Set<string>();
  for (const pair of query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    const key = decode(name);
    const value = decode(rest.join("="));
    if (!names.has(key)) continue;
    if (Object.hasOwn(values, key)) repeated.add(key);
    values[key] = value;
  }
  return { values, violations: [...repeated].map(onlyOnce) };
}

/**
 * Creates a query parser for an object schema. It converts integers in plain digits for integer fields (gap G6) and
 * leaves other values to the schema.
 */
export function queryReader(schema: z.ZodType): (url: string) => Query<unknown> {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const names = new Set(fields.map(([name]) => name));
  const integers = new Set(fields.filter(([, field]) => isInteger(field)).map(([name]) => name));
  const asNumber = (name: string, value: string) =>
    integers.has(name) && /^(0|-?[1-9][0-9]*)$/.test(value) ? Number(value) : value;
  return (url) => {
    const { values, violations } = readQuery(url, names);
    const typed = Object.entries(values).map(([name, value]) => [name, asNumber(name, value)]);
    return { values: Object.fromEntries(typed), violations };
  };
}

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
