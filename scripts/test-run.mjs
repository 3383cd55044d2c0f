import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesOf } from "./processes-of.mjs";

/** Linux keeps files of this folder in memory. */
const memory = "/dev/shm";
/** What the databases of one run take at most, with room to spare. */
const databaseBytes = 4 * 1024 ** 3;

const watcher = fileURLToPath(new URL("end-test-run.mjs", import.meta.url));

/**
 * Begins a run of tests: from now on the children of this process, and theirs, carry the run's mark and use its temporary
 * folders. However this process ends, kill -9 included, a watcher then ends what is left of them and removes the folders.
 *
 * @returns the processes of the run, and the function that ends it
 */
export function startTestRun() {
  const mark = `run-${randomBytes(8).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "cb-"));
  // Tests run programs as other users, who have to pass through it.
  chmodSync(folder, 0o711);
  const databases = hasRoom(memory) ? mkdtempSync(join(memory, "cb-")) : folder;
  const env = { ...process.env };
  // The pipe is how the watcher learns of this process's end. It is in no process group that Ctrl-C reaches.
  const stdio = ["pipe", "ignore", "ignore"];
  const unmarked = { ...env, CARDBRIDGE_TEST_RUN: "" };
  const child = spawn(process.execPath, [watcher, mark, folder, databases], {
    env: unmarked,
    stdio,
    detached: true,
  });
  child.unref();
  child.stdin.unref();
  process.env.TMPDIR = folder;
  process.env.CARDBRIDGE_TEST_DATABASES = databases;
  process.env.CARDBRIDGE_TEST_RUN = `${env.CARDBRIDGE_TEST_RUN ?? ""}/${mark}`;
  return {
    processes: () => processesOf(mark),
    end() {
      process.env = env;
      for (const path of [folder, databases]) rmSync(path, { recursive: true, force: true });
      child.stdin.end();
    },
  };
}

function hasRoom(path) {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > databaseBytes;
  } catch {
    return false;
  }
}
