import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { drills } from "./drills/index.ts";
import { reasonNotToRun } from "./programs.ts";
import { type Line, toTable } from "./table.ts";

/* The drills in full. `scripts/test-machines.mjs` sets the variables. */

const { MACHINES_ONLY: only = "", MACHINES_SIZE: size = "300", MACHINES_WRITE: write = "" } = process.env;
const page = fileURLToPath(new URL("../../../../../docs/reliability.md", import.meta.url));
const lines: Line[] = [];

it.each(drills.filter(({ title }) => title.includes(only)))("$title", async (drill) => {
  const outcome = reasonNotToRun(drill.needs) ?? (await drill.run(Number(size)));
  lines.push({ drill, outcome });
  if (typeof outcome !== "string") expect(outcome.violations).toEqual([]);
});

afterAll(async () => {
  const table = toTable(lines);
  process.stderr.write(`\n${table}\n`);
});
void [readFile, writeFile, page, write, reasonNotToRun];
