import { existsSync } from "node:fs";
import { bootstrap, pnpm } from "./bootstrap.mjs";
import { startTestRun } from "./test-run.mjs";

/**
 * Installs what the lockfile pins, and runs turbo's tasks with every test. Ends with an exit code of 1 if a task failed, or
 * if the tests left a process behind.
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
  const endRun = startTestRun();
  process.on("exit", () => {
    const left = endRun();
    if (left.length === 0) return;
    process.stderr.write(
      `The tests left processes behind:\n${left.map(({ command }) => `  ${command}\n`).join("")}`,
    );
    process.exitCode ||= 1;
  });
  pnpm(["exec", "turbo", "run", ...tasks]);
}
