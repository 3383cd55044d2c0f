import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { demoKeys } from "../src/auth/demo-keys.ts";

/** The README names what outside readers rely on; this holds it to the code. */
const root = new URL("../../../", import.meta.url);
const readme = await readFile(new URL("README.md", root), "utf8");
const env = await readFile(new URL("../src/env.ts", import.meta.url), "utf8");

it.each([
  "README.md",
  "docs/architecture.md",
  "docs/production.md",
  "docs/gaps.md",
  "docs/provider-contract.md",
])("%s names only files that are there", async (page) => {
  const text = await readFile(new URL(page, root), "utf8");
  const named = [...text.matchAll(/\b((?:packages|apps)\/[\w-]+\/(?:src|test)\/[\w./-]*\w\/?)/g)].map(
    ([, path = ""]) => path,
  );
  const missing = named.filter((path) => !existsSync(new URL(path, root)));
  expect(missing).toEqual([]);
});

it("names both demo keys", () => {
  for (const key of Object.values(demoKeys)) expect(readme).toContain(key);
});

it("names every variable of the environment, and no other", () => {
  const declared = [...env.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
  const table = readme.slice(readme.indexOf("## Configuration"), readme.indexOf("## Finding your way"));
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  expect(declared.length).toBeGreaterThan(10);
  expect(named.sort()).toEqual(declared.sort());
});
