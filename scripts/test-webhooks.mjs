import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/* pnpm test:webhooks: makes many changes with webhooks, while services, the receiver and database connections crash. */
const { values } = parseArgs({
  options: {
    changes: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:webhooks [options]

  --changes N   stop after this many changes of records (10,000)
  --seed S      the seed of the kills (random)
`);
  process.exit(0);
}

bootstrap();
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
process.env.WEBHOOKS_CHANGES = values.changes;
process.env.WEBHOOKS_SEED = values.seed;
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "--config", "vitest.webhooks.config.ts"]);
