import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/* pnpm test:validate: compares validations with submissions, as many as asked, from a seed that it prints and takes. */
const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: String(randomInt(1e6)) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`pnpm test:validate [options]

  --cases N  compare so many generated bodies (100000)
  --seed S   what they are generated from (by chance)
`);
  process.exit(0);
}

bootstrap();
process.stdout.write(`seed ${values.seed}\n`);
process.env.VALIDATE_CASES = values.cases;
process.env.VALIDATE_SEED = values.seed;
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "test/validation/differential.test.ts"]);
