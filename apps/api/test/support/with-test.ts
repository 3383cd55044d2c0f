import type { ChildProcess } from "node:child_process";
import { onTestFinished, TestRunner } from "vitest";

/** The variables that identify the processes and the temporary files of this test run, for its cleanup. */
export const runVariables = (): Record<string, string> => {
  const { CARDBRIDGE_TEST_RUN = "", TMPDIR, PATH = "" } = process.env;
  return { PATH, CARDBRIDGE_TEST_RUN, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
};

/**
 * Ends a process and its children with the test that started them, also when the test fails. Spawn it `detached`, so
 * that it leads a group. Processes of hooks and concurrent tests end in their own teardown or with the run.
 */
export function endWithTest({ pid }: ChildProcess): void {
  const test = TestRunner.getCurrentTest();
  // With concurrent tests, the current test may not be the one that starts the process.
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
