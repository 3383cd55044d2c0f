import { Failure, type Violation } from "@cardbridge/domain";
import * as z from "zod";

export interface Query<T> {
  values: Record<string, T>;
  /** Parameters that were sent more than once: nothing is silently picked (gap G4). */
  violations: Violation[];
}

/**
 * Decodes a URL's query strictly: nothing is repaired. Parameters beside the given names are ignored.
 * @throws Failure MALFORMED_REQUEST for broken percent-encoding.
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
 * A reader of queries for one object schema: a parameter whose schema is a whole number becomes a number
 * when it is written as one (gap G6); everything else stays as it came, for the schema to judge.
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
    const message = "The query's percent-encoding is broken or not UTF-8.";
    throw new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule: "percent-encoding", message }] });
  }
}

function onlyOnce(name: string): Violation {
  return { path: [name], rule: "single-value", message: "Send this parameter once." };
}
