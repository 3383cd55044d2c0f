import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { demoKeys } from "../src/auth/demo-keys.ts";

/** The README names what outside readers rely on; this holds it to the code. */
const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
const env = await readFile(new URL("../src/env.ts", import.meta.url), "utf8");

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
