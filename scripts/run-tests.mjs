import { existsSync } from "node:fs";
import { bootstrap, pnpm } from "./bootstrap.mjs";
import { startTestRun } from "./test-run.mjs";

/**
 * Installs the packages of the lockfile and runs turbo's tasks. Exits with turbo's exit code. The processes of the run
 * end with this process, even after SIGKILL.
 *
 * @param {string[]} tasks the tasks, and further arguments for turbo
 */
export function runTests(tasks) {
  const node = bootstrap();
  if (node !== process.versions.node) {
    process.stdout.write(`Node ${node} runs the tests; this machine's own is ${process.versions.node}.\n`);
  }
  // The presence of a browser is part of turbo's cache key.
  process.env.CHROMIUM_PATH ??= existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : "";
  const { end } = startTestRun();
  process.on("exit", end);
  pnpm(["exec", "turbo", "run", ...tasks]);
}
