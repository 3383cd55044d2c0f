import { setTimeout as wait } from "node:timers/promises";
import { startTestRun } from "./test-run.mjs";

/** How long a process may take to end after its test, in milliseconds. */
const endingMs = 10_000;

/**
 * A package's tests as a run of their own. vitest calls this before its workers start, and the result after they ended.
 *
 * @throws Error in the result if a test left a process behind, so that the run fails
 */
export default function setup() {
  const { processes, end } = startTestRun();
  // vitest's own, which ends with vitest.
  const left = () => processes().filter(({ command }) => command !== "vitest-watchdog");
  return async () => {
    const begun = performance.now();
    while (left().length > 0 && performance.now() - begun < endingMs) await wait(50);
    const commands = left().map(({ command }) => `\n  ${command}`);
    end();
    if (commands.length > 0) throw new Error(`The tests left processes behind:${commands.join("")}`);
  };
}
