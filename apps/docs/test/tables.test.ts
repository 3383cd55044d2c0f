import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fillTables, tablesOf } from "../src/tables/fill.ts";
import { tables } from "../src/tables/index.ts";

const folder = new URL("../../../docs/", import.meta.url);
const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
const pages = await Promise.all(
  names.map(async (name) => ({ name, markdown: await readFile(new URL(name, folder), "utf8") })),
);
const withTables = pages.filter(({ markdown }) => tablesOf(markdown).length > 0);

it.each(withTables)(
  "docs/$name has its tables; npm run docs:tables updates them",
  async ({ name, markdown }) => {
    await expect(fillTables(markdown)).toMatchFileSnapshot(fileURLToPath(new URL(name, folder)));
  },
);

it("every table is on a page", () => {
  const used = new Set(withTables.flatMap(({ markdown }) => tablesOf(markdown)));
  expect([...used].sort()).toEqual(Object.keys(tables).sort());
});
