import { Failure, type Violation } from "@cardbridge/domain";
import { z } from "zod";

/**
 * Decodes a URL's query strictly: nothing is repaired, nothing is silently picked (gap G4). Parameters
 * beside the given names are ignored.
 * @throws Failure MALFORMED_REQUEST for broken percent-encoding, INVALID_INPUT for a repeated parameter.
 */
export function readQuery(url: string, names: ReadonlySet<string>): Record<string, string> {
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
  if (repeated.size > 0) throw new Failure("INVALID_INPUT", { violations: [...repeated].map(onlyOnce) });
  return values;
}

/**
 * A reader of queries for one object schema: a parameter whose schema is a whole number becomes a number
 * when it is written as one (gap G6); everything else stays as it came, for the schema to judge.
 */
export function queryReader(schema: z.ZodType): (url: string) => Record<string, unknown> {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const names = new Set(fields.map(([name]) => name));
  const integers = new Set(fields.filter(([, field]) => isInteger(field)).map(([name]) => name));
  return (url) =>
    Object.fromEntries(
      Object.entries(readQuery(url, names)).map(([name, value]) => [
        name,
        integers.has(name) && /^(0|-?[1-9][0-9]*)$/.test(value) ? Number(value) : value,
      ]),
    );
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
