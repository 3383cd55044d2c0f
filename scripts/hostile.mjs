import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { install, pnpm } from "./bootstrap.mjs";

/* pnpm test:hostile: as many hostile requests as asked, from a seed that it prints and takes. */
const { values } = parseArgs({
  options: { requests: { type: "string", default: "20000" }, seed: { type: "string" } },
});
process.env.HOSTILE_REQUESTS = values.requests;
process.env.HOSTILE_SEED = values.seed ?? String(randomInt(2 ** 31));
process.stdout.write(`pnpm test:hostile --requests ${values.requests} --seed ${process.env.HOSTILE_SEED}\n`);
install();
pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", "test/hostile/hostile.test.ts"]);
