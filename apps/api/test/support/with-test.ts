import type { ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";

/** The variables by which the end of the run finds what its tests left behind: its mark, and its temporary folder. */
export const runVariables = (): Record<string, string> => {
  const { CARDBRIDGE_TEST_RUN = "", TMPDIR, PATH = "" } = process.env;
  return { PATH, CARDBRIDGE_TEST_RUN, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
};

/**
 * Ends a process and its children with the test that started them, also when the test fails. Spawn it `detached`, so that
 * it leads a group. What a hook starts ends in that file's teardown, or else with the run.
 */
export function endWithTest({ pid }: ChildProcess): void {
  try {
    onTestFinished(() => killGroup(pid));
  } catch {
    // A hook started it.
  }
}

/** Kills a group of processes, if it has any left. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
