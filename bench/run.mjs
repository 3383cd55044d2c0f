import { parseArgs } from "node:util";
import { writeReport } from "./lib/report.mjs";

/* pnpm bench: runs scenario by scenario, each with its own processes and database. */

// The exit handlers stop the processes and remove the folders, which may have tens of GB.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const names = ["tables", "overload", "fairness", "evidence", "growth"];
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    amount: { type: "string", default: "4000" },
    only: { type: "string", default: names.join(",") },
    full: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(`pnpm bench [options]

  --rounds N     rounds of each contestant; the result is their median (5)
  --amount N     lists per round; half as many submissions (4000)
  --only NAMES   a comma-separated selection of ${names.join(",")}
  --full         run the scenarios at their full size: longer, and growth with 10,000,000 users
`);
  process.exit(0);
}

const chosen = values.only.split(",");
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0)
  throw new Error(`Unknown scenario ${unknown.join(", ")}. The scenarios are ${names.join(", ")}.`);
const options = { rounds: Number(values.rounds), amount: Number(values.amount), full: values.full };

for (const name of chosen) {
  const { run } = await import(`./scenarios/${name}.mjs`);
  const say = (words) => process.stderr.write(`${name}: ${words}\n`);
  const text = await run({ ...options, say });
  process.stdout.write(`\n${text}\n\n`);
  writeReport(name, text);
}
