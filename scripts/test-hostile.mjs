import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/* pnpm test:hostile: as many hostile requests as asked, from a seed that it prints and takes. */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    seed: { type: "string", default: String(randomInt(1e6)) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:hostile [options]

  --requests N  send so many generated requests (200000)
  --seed S      what they are generated from (by chance)
`);
  process.exit(0);
}

bootstrap();
process.stdout.write(`seed ${values.seed}\n`);
process.env.HOSTILE_REQUESTS = values.requests;
process.env.HOSTILE_SEED = values.seed;
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "test/hostile/hostile.test.ts"]);
