import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/*
 * npm run test:machines: the drills of several machines, with real servers. It writes a table of what callers saw to
 * apps/api/.reports.
 */
const { values } = parseArgs({
  options: {
    size: { type: "string", default: "150" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`npm run test:machines -- [options]

  --size N      the calls that have to succeed in each phase of a drill (150)
  --only TEXT   run only the drills whose title contains this text
`);
  process.exit(0);
}

bootstrap();
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
for (const [name, value] of Object.entries(values)) {
  process.env[`MACHINES_${name.toUpperCase()}`] = String(value);
}
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "--config", "vitest.machines.config.ts"]);
