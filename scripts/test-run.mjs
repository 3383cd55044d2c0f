import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesOf } from "./processes-of.mjs";

const watcher = fileURLToPath(new URL("end-test-run.mjs", import.meta.url));

/**
 * Begins a run of tests: from now on the children of this process, and theirs, carry the run's mark and use its temporary
 * folder. However this process ends, kill -9 included, a watcher then ends what is left of them and removes the folder.
 *
 * @returns ends the run, and returns the command lines of the processes that tests left behind
 */
export function startTestRun() {
  const mark = `run-${randomBytes(8).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "cb-"));
  const env = { ...process.env };
  // The pipe is how the watcher learns of this process's end. It is in no process group that Ctrl-C reaches.
  const stdio = ["pipe", "ignore", "ignore"];
  const unmarked = { ...env, CARDBRIDGE_TEST_RUN: "" };
  const child = spawn(process.execPath, [watcher, mark, folder], { env: unmarked, stdio, detached: true });
  child.unref();
  child.stdin.unref();
  process.env.TMPDIR = folder;
  process.env.CARDBRIDGE_TEST_RUN = `${env.CARDBRIDGE_TEST_RUN ?? ""}/${mark}`;
  return () => {
    const left = processesOf(mark);
    process.env = env;
    rmSync(folder, { recursive: true, force: true });
    child.stdin.end();
    return left;
  };
}
