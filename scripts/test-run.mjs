import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesOf } from "./processes-of.mjs";

/** Linux keeps files of this folder in memory. */
const memory = "/dev/shm";
/** The maximum size of the databases of one run, with a margin. */
const databaseBytes = 4 * 1024 ** 3;

const watcher = fileURLToPath(new URL("end-test-run.mjs", import.meta.url));

/**
 * Starts a test run: from now on, the descendants of this process have the run's mark in their environment and use its
 * temporary folders. When this process ends, even by SIGKILL, a watcher ends them and removes the folders.
 *
 * @returns the processes of the run, and the function that ends it
 */
export function startTestRun() {
  const mark = `run-${randomBytes(8).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "cb-"));
  // Tests run programs as other users, who need access to the folder's content.
  chmodSync(folder, 0o711);
  const databases = hasRoom(memory) ? mkdtempSync(join(memory, "cb-")) : folder;
  const env = { ...process.env };
  // The watcher detects the end of this process through the pipe. It is detached, so Ctrl-C does not reach it.
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
