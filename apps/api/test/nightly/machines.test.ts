import { afterAll, it } from "vitest";
import { writeTable } from "../deep/faults/write-table.ts";
import { drills } from "../deep/machines/drills/index.ts";
import { runDrill } from "../deep/machines/run-drill.ts";
import { type Line, toTable } from "../deep/machines/table.ts";

/* Every drill in full. `MACHINES_…` variables change its size. */

const { MACHINES_ONLY: only = "", MACHINES_SIZE: size = "150", MACHINES_WRITE: write = "" } = process.env;
const lines: Line[] = [];

it.for(drills.filter(({ title }) => title.includes(only)))("$title", async (drill, context) => {
  process.stderr.write(`${drill.title}…\n`);
  await runDrill(drill, Number(size), context, (outcome) => lines.push({ drill, outcome }));
});

afterAll(async () => {
  const table = toTable(lines);
  process.stderr.write(`\n${table}\n`);
  if (write !== "") await writeTable("the table of drills", table);
});
