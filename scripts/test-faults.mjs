import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/*
 * pnpm test:faults: the long form of the fault suite. It prints its seed, which replays a failure, and writes its table
 * to apps/api/.reports.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    seeds: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    size: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:faults [options]

  --seeds N     run every episode with this many seeds (1)
  --minutes M   stop starting episodes after this many minutes (60)
  --seed S      the first seed (random)
  --size N      the submissions of an episode without a fixed number (20)
  --only TEXT   run only the episodes whose title contains this text
`);
  process.exit(0);
}

bootstrap();
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
process.stdout.write(`seed ${values.seed}\n`);
for (const [name, value] of Object.entries(values)) {
  process.env[`FAULTS_${name.toUpperCase()}`] = String(value);
}
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "--config", "vitest.faults.config.ts"]);
