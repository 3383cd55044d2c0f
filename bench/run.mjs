import { parseArgs } from "node:util";
import { machine, writeMeasured } from "./lib/page.mjs";

/* pnpm bench: scenario by scenario, each with processes and a database of its own. */
const names = [
  "tables",
  "trpc",
  "traces",
  "overload",
  "fairness",
  "growth",
  "leak",
  "backlog",
  "webhooks",
  "start",
];
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    amount: { type: "string", default: "4000" },
    only: { type: "string", default: names.join(",") },
    full: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(`pnpm bench [options]

  --rounds N     rounds of each contestant, of which the median counts (5)
  --amount N     lists of a round; the submissions are half as many (4000)
  --only NAMES   of ${names.join(",")}
  --full         the scenarios in the sizes of their goals: 1,000,000 users, 1,000,000 requests, 100,000 records
  --print        print only, and leave docs/performance.md as it is
`);
  process.exit(0);
}

const chosen = values.only.split(",");
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}: choose of ${names.join(", ")}.`);
const options = { rounds: Number(values.rounds), amount: Number(values.amount), full: values.full };
const day = new Date().toISOString().slice(0, 10);

for (const name of chosen) {
  const { run } = await import(`./scenarios/${name}.mjs`);
  const say = (words) => process.stderr.write(`${name}: ${words}\n`);
  const text = await run({ ...options, say });
  process.stdout.write(`\n${text}\n\n`);
  if (values.print) continue;
  writeMeasured(name, `${text}\n\n${day}, ${machine()}.`);
}
