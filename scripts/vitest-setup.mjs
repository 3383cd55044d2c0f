import { setTimeout as wait } from "node:timers/promises";
import { startTestRun } from "./test-run.mjs";

/** How long a process may run after its test, in milliseconds. */
const endingMs = 10_000;

/**
 * Runs a package's tests as a separate test run. vitest calls this function before its workers start, and the returned
 * function after they have ended.
 *
 * @throws Error from the returned function if a test left a process running, so that the run fails
 */
export default function setup() {
  const { processes, end } = startTestRun();
  // Excludes vitest's own process, which ends with vitest.
  const left = () => processes().filter(({ command }) => command !== "vitest-watchdog");
  return async () => {
    const begun = performance.now();
    while (left().length > 0 && performance.now() - begun < endingMs) await wait(50);
    const commands = left().map(({ command }) => `\n  ${command}`);
    end();
    if (commands.length > 0) throw new Error(`The tests left processes behind:${commands.join("")}`);
  };
}
