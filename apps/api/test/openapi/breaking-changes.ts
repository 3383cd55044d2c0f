import type { JsonSchema } from "@cardbridge/domain";
import { apiCompare, type Diff } from "api-smart-diff";

type Document = JsonSchema & { paths: object };

/**
 * Returns the changes between two documents that G23 does not allow, one line each, based on api-smart-diff. Adds
 * changes that it reports as harmless: a response's changed type or constant, a removed field, and a changed security
 * scheme. Omits new values of a response's enumeration, which G23 allows. Compares rules between fields by their ids.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  const { diffs } = apiCompare(withoutRules(before), withoutRules(after));
  const lines = diffs.filter(isBreaking).map((diff) => lineOf(diff, before, after));
  return [...new Set([...lines, ...changedRules(before, after)])].sort();
}

function isBreaking({ action, path, type }: Diff): boolean {
  const [section, kind] = path;
  const [parent, last] = path.slice(-2);
  if (section === "components")
    return kind === "securitySchemes" && action !== "add" && type !== "annotation";
  if (path.includes("examples")) return false;
  if (path.includes("responses")) {
    if (parent === "enum" && action === "add") return false;
    if (last === "type" || last === "const") return action !== "add";
    if (parent === "properties" && action === "remove") return true;
  }
  return type === "breaking";
}

/** A line such as `get /cards: replace parameters/page/schema/maximum`. List items have names or are omitted. */
function lineOf({ action, path }: Diff, before: Document, after: Document): string {
  const document = action === "remove" ? before : after;
  const names = path.map((key, index) => {
    const isParameter = typeof key === "number" && path[index - 1] === "parameters";
    return isParameter ? parameterName(document, path.slice(0, index + 1)) : String(key);
  });
  const isItem = ["enum", "required"].includes(names.at(-2) ?? "");
  const named = isItem ? [...names.slice(0, -1), String(valueAt(document, path))] : names;
  if (path[0] !== "paths") return `${action} ${named.join("/")}`;
  const [, route = "", method = "", ...place] = named;
  return `${method} ${route}: ${action} ${place.join("/")}`.trim();
}

function parameterName(document: Document, path: Diff["path"]): string {
  const parameter = valueAt(document, path) as { name?: string; $ref?: string } | undefined;
  return parameter?.name ?? parameter?.$ref?.split("/").at(-1) ?? String(path.at(-1));
}

function valueAt(document: unknown, path: Diff["path"]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Reflect.get(resolve(document, value), key);
  }, document);
}

function resolve(document: unknown, value: object): object {
  if (!("$ref" in value)) return value;
  return Object(valueAt(document, String(value.$ref).split("/").slice(1)));
}

const isRules = (value: unknown): value is JsonSchema[] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => "x-rule" in Object(part));

/** A copy without the rules between fields, because their combinations would make thousands of schemas. */
function withoutRules(document: Document): Document {
  return JSON.parse(JSON.stringify(document, (_key, value) => (isRules(value) ? undefined : value)));
}

/** The changed rules of existing schemas: a new schema can have any rule. */
function changedRules(before: Document, after: Document): string[] {
  const known = Object.keys(schemasOf(before));
  const kept = Object.entries(schemasOf(after)).filter(([id]) => known.includes(id));
  const [old, current] = [rulesIn(schemasOf(before)), rulesIn(Object.fromEntries(kept))];
  return [...current]
    .filter(([id, schema]) => old.get(id) !== schema)
    .map(([id]) => `${old.has(id) ? "replace" : "add"} rule ${id}`);
}

function schemasOf({ components }: Document): object {
  return Object(Object(components).schemas);
}

/** The schema of each rule by its id. */
function rulesIn(schemas: object): Map<string, string> {
  const found = new Map<string, string>();
  JSON.stringify(schemas, (_key, value) => {
    if (isRules(value)) {
      for (const { "x-rule": id, "x-section": _, "x-rule-in-words": __, ...schema } of value)
        found.set(String(id), JSON.stringify(schema));
    }
    return value;
  });
  return found;
}
