import { existsSync } from "node:fs";
import { bootstrap, pnpm } from "./bootstrap.mjs";
import { startTestRun } from "./test-run.mjs";

/**
 * Installs what the lockfile pins, and runs turbo's tasks. Ends with turbo's exit code. What it started ends with it, also
 * after kill -9.
 *
 * @param {string[]} tasks the tasks, and further arguments for turbo
 */
export function runTests(tasks) {
  const node = bootstrap();
  if (node !== process.versions.node) {
    process.stdout.write(`Node ${node} runs the tests; this machine's own is ${process.versions.node}.\n`);
  }
  // Whether there is a browser is part of what turbo keys its cache on.
  process.env.CHROMIUM_PATH ??= existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : "";
  const { end } = startTestRun();
  process.on("exit", end);
  pnpm(["exec", "turbo", "run", ...tasks]);
}
