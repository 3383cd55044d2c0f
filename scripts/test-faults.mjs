import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/* pnpm test:faults: the long form of the fault suite. It prints its seed, with which a failure replays. */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    seeds: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    size: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:faults [options]

  --seeds N     play every episode with so many seeds (1)
  --minutes M   begin no further episode after so many minutes (60)
  --seed S      the first seed (by chance)
  --size N      submissions of an episode that may have any number (20)
  --only TEXT   only episodes whose title has this text
  --write       put the table into docs/reliability.md
`);
  process.exit(0);
}

bootstrap();
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
process.stdout.write(`seed ${values.seed}\n`);
for (const [name, value] of Object.entries(values)) {
  process.env[`FAULTS_${name.toUpperCase()}`] = value === false ? "" : String(value);
}
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "--config", "vitest.faults.config.ts"]);
