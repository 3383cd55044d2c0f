import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/**
 * Runs a generated test of the service with a given number of cases, from a seed that it prints and accepts.
 *
 * @param {{ command: string, count: string, help: string, cases: number, file: string }} test its command, the option
 *   for the number of cases with its help text and default, and its file. The test reads `<COMMAND>_<COUNT>` and
 *   `<COMMAND>_SEED`.
 */
export function runSeededTest({ command, count, help, cases, file }) {
  const { values } = parseArgs({
    options: {
      [count]: { type: "string", default: String(cases) },
      seed: { type: "string", default: String(randomInt(1e6)) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    const counted = `--${count} N`;
    process.stdout.write(`pnpm test:${command} [options]

  ${counted}  ${help} (${cases})
  ${"--seed S".padEnd(counted.length)}  the seed of the generated cases (random)
`);
    return;
  }
  bootstrap();
  process.stdout.write(`seed ${values.seed}\n`);
  const prefix = command.toUpperCase();
  process.env[`${prefix}_${count.toUpperCase()}`] = String(values[count]);
  process.env[`${prefix}_SEED`] = String(values.seed);
  const config = file.startsWith("test/deep/") ? ["--config", "vitest.deep.config.ts"] : [];
  pnpm(["--filter", "@cardbridge/api", "exec", "vitest", "run", ...config, file]);
}
