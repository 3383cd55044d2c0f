import { afterAll, it } from "vitest";
import { writeReport } from "../deep/faults/write-report.ts";
import { drills } from "../deep/machines/drills/index.ts";
import { runDrill } from "../deep/machines/run-drill.ts";
import { type Line, toTable } from "../deep/machines/table.ts";

/* Every drill in full. `MACHINES_…` variables change its size. */

const only = process.env.MACHINES_ONLY ?? "";
const size = Number(process.env.MACHINES_SIZE ?? 150);
const lines: Line[] = [];

it.for(drills.filter(({ title }) => title.includes(only)))("$title", async (drill, context) => {
  process.stderr.write(`${drill.title}…\n`);
  await runDrill(drill, size, context, (outcome) => lines.push({ drill, outcome }));
});

afterAll(async () => {
  const table = toTable(lines);
  process.stderr.write(`\n${table}\n`);
  await writeReport("machines", table);
});
