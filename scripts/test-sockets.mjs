import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/*
 * pnpm test:sockets: opens thousands of slow sockets and compares the latency of healthy callers with and without them.
 * pnpm test:attacks: also sends a million hostile requests at the same time.
 */
const { values } = parseArgs({
  options: {
    sockets: { type: "string", default: "2000" },
    seconds: { type: "string", default: "30" },
    requests: { type: "string", default: "0" },
    seed: { type: "string", default: String(randomInt(1e6)) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:sockets [options]

  --sockets N   open this many sockets (2000)
  --seconds S   measure for this many seconds, without and with the sockets (30)
  --requests N  also send this many generated hostile requests (0)
  --seed S      the seed of the generated requests (random)
`);
  process.exit(0);
}

bootstrap();
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
process.env.HELD_SOCKETS = values.sockets;
process.env.HELD_SECONDS = values.seconds;
process.env.HOSTILE_REQUESTS = values.requests;
process.env.HOSTILE_SEED = values.seed;
pnpm([
  "--filter",
  "@cardbridge/api",
  "exec",
  "vitest",
  "run",
  "--config",
  "vitest.deep.config.ts",
  "test/deep/sockets/held-sockets.test.ts",
]);
