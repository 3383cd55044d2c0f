import { readdir, readFile } from "node:fs/promises";
import { defaultPolicies, type JsonSchema } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { apiCompare, type Diff } from "api-smart-diff";
import { expect, it } from "vitest";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { restRoutes } from "../../../src/http/rest/routes.ts";

/*
 * Compares the document with that of the last release. From 1.0 on, changes to /openapi/v1 are only additive (gap G23).
 * Until then, accepted-changes.json beside the released document lists each breaking change with its reason.
 */

const releases = new URL("../../../../../docs/releases/", import.meta.url);
const versions = (await readdir(releases)).filter((name) => /^\d/.test(name));
const [last = ""] = versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
const read = async (name: string) => JSON.parse(await readFile(new URL(`${last}/${name}`, releases), "utf8"));

const publicUrl = "https://cards.example.com";
const routes = restRoutes(createOperations({ ...defaultPolicies, ownOrigin: publicUrl }));
// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it.
const document = (): any =>
  JSON.parse(JSON.stringify(createDocument(routes, { publicUrl, environment: "test" })));

it("has no breaking change since the last release, besides those with a reason", async () => {
  const accepted: Record<string, string[]> = await read("accepted-changes.json");
  const changes = breakingChanges(await read("openapi.json"), document());
  expect(changes).toEqual(Object.values(accepted).flat().sort());
});

const list = "/openapi/v1/cards/list";
const kyc = "/openapi/v1/users/kyc";
const body = "requestBody/content/application/json/schema";
const items = "responses/200/content/application/json/schema/properties/items/items";
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Change = (changed: any) => unknown;
type Named = { name: string };

/** Each deliberate break, and the line that reports it. */
const breaks: [string, Change][] = [
  [`get ${list}: remove ${items}/properties/last4`, ({ schemas }) => delete schemas.Card.properties.last4],
  [
    `get ${list}: remove ${items}/required/type`,
    ({ schemas }) => schemas.Card.required.splice(schemas.Card.required.indexOf("type"), 1),
  ],
  [
    `get ${list}: replace ${items}/properties/cardId/type`,
    ({ schemas }) => Object.assign(schemas.Card.properties.cardId, { type: ["string", "null"] }),
  ],
  [
    `post ${kyc}: add ${body}/required/taxId`,
    ({ schemas }) => {
      schemas.KycSubmission.properties.taxId = { type: "string" };
      schemas.KycSubmission.required.push("taxId");
    },
  ],
  [
    `post ${kyc}: remove ${body}/properties/gender/enum/female`,
    ({ schemas }) => schemas.KycSubmission.properties.gender.enum.pop(),
  ],
  [
    `get ${list}: replace parameters/pageSize/schema/maximum`,
    ({ paths }) => {
      paths[list].get.parameters.find(({ name }: Named) => name === "pageSize").schema.maximum = 50;
    },
  ],
  [
    `get ${list}: add parameters/taxId`,
    ({ paths }) =>
      paths[list].get.parameters.push({ name: "taxId", in: "query", required: true, schema: {} }),
  ],
  [`post ${kyc}: remove responses/202`, ({ paths }) => delete paths[kyc].post.responses[202]],
  [`get ${kyc}: remove`, ({ paths }) => delete paths[kyc].get],
  [
    "replace components/securitySchemes/apiKey/scheme",
    ({ securitySchemes }) => Object.assign(securitySchemes.apiKey, { scheme: "basic" }),
  ],
  [
    "add rule tax-id-required",
    ({ schemas }) => schemas.KycSubmission.allOf.push({ "x-rule": "tax-id-required" }),
  ],
];

it("detects every kind of break", () => {
  const changed = document();
  for (const [, change] of breaks) change({ ...changed, ...changed.components });
  const expected = breaks.map(([line]) => line);
  expect(breakingChanges(document(), changed)).toEqual(expect.arrayContaining(expected));
});

it("allows new optional input, new fields, new values, new responses and new operations", () => {
  const changed = document();
  const { schemas } = changed.components;
  schemas.KycSubmission.properties.taxId = { type: "string" };
  schemas.Card.properties.color = { type: "string" };
  schemas.Card.required.push("color");
  schemas.KycHistoryEntry.properties.source.enum.push("import");
  changed.paths[list].get.responses[451] = { description: "A new error." };
  schemas.CardSummary = { type: "object", allOf: [{ "x-rule": "one-of-a-new-schema" }] };
  changed.paths["/openapi/v1/cards/summary"] = changed.paths[list];
  expect(breakingChanges(document(), changed)).toEqual([]);
});

type Document = JsonSchema & { paths: object };

/**
 * Returns the changes between two documents that G23 does not allow, one line each, based on api-smart-diff. Adds
 * changes that it reports as harmless: a response's changed type or constant, a removed field, and a changed security
 * scheme. Omits new values of a response's enumeration, which G23 allows. Compares rules between fields by their ids.
 */
function breakingChanges(before: Document, after: Document): string[] {
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
