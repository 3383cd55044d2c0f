import type { ChildProcess } from "node:child_process";
import { onTestFinished, TestRunner } from "vitest";

/** The variables by which the end of the run finds what its tests left behind: its mark, and its temporary folder. */
export const runVariables = (): Record<string, string> => {
  const { CARDBRIDGE_TEST_RUN = "", TMPDIR, PATH = "" } = process.env;
  return { PATH, CARDBRIDGE_TEST_RUN, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
};

/**
 * Ends a process and its children with the test that started them, also when the test fails. Spawn it `detached`, so that
 * it leads a group. What a hook or a concurrent test starts ends in its own teardown, or else with the run.
 */
export function endWithTest({ pid }: ChildProcess): void {
  const test = TestRunner.getCurrentTest();
  // Of concurrent tests the current one may be another than the one that starts the process.
  if (test !== undefined && !test.concurrent) onTestFinished(() => killGroup(pid));
}

/** Kills a process and its group, if it leads one that is left. */
export function killGroup(leader: number | undefined): void {
  if (!leader) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
