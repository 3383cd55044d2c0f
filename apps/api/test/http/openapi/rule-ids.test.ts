import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { publishedRuleIds } from "../../support/rule-ids.ts";

/** The document names every rule id that the sources of a call over REST contain. */

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const folders = [
  "packages/domain/src",
  "packages/service/src",
  "packages/service/src",
  "packages/files/src",
  "apps/api/src",
];
/** The folders of operators and of other transports. */
const elsewhere =
  /\/(?:cli|trpc|mcp|keys|records|users|holds|proposals|four-eyes|evidence|audit|encryption-keys|pauses)\//;

const patterns = [
  /\brule: "([a-z0-9-]+)"/g,
  /\b(?:malformed|fileViolation|format|stringFormat)\(\s*"([a-z0-9-]+)"/g,
  /^ {2}"((?:file|pdf)-[a-z-]+)": "/gm,
];

async function ruleIdsInSources(): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(`${root}${folder}`, { recursive: true });
    for (const name of names.filter((path) => path.endsWith(".ts") && !elsewhere.test(`/${path}`))) {
      const source = await readFile(`${root}${folder}/${name}`, "utf8");
      for (const pattern of patterns) for (const [, id = ""] of source.matchAll(pattern)) found.add(id);
    }
  }
  return [...found];
}

/** Formats of outputs, and rules of operations without a route. */
const notOverRest = [
  "datetime",
  "opening-id",
  "sha256",
  "erased",
  "page-exists",
  "date-time",
  "change-position",
  "position-beyond-present",
  "search-cursor",
  "platform-id",
  "file-id",
  "person-id",
  "platforms",
  "sha256",
  "record-state",
  "card-account-id",
  "external-user-id",
  "folder",
  "text-64",
];

it("names every rule id", async () => {
  const known = new Set([...publishedRuleIds(), ...notOverRest]);
  const ids = await ruleIdsInSources();
  expect(ids.length).toBeGreaterThan(40);
  const missing = ids.filter((id) => !known.has(id));
  expect(missing, "Add them to apps/api/src/http/openapi/rule-ids.ts.").toEqual([]);
});
