import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Credentials } from "./credentials.ts";
import type { DataFolder } from "./data-folder.ts";
import { codeOf } from "./error-code.ts";
import { hasExited } from "./launch.ts";
import { readPidFile } from "./pid-file.ts";
import { probe } from "./probe.ts";

/**
 * Shuts down the server of a data folder. When this resolves, the sessions are closed, the data is on disk and the
 * server has exited. `child` is the server's process if this process started it.
 * @throws Error when it takes longer than a minute.
 */
export async function stopServer(
  paths: DataFolder,
  credentials: Credentials,
  child?: ChildProcess,
): Promise<void> {
  const found = await readPidFile(paths.pid);
  if (child) child.kill("SIGINT");
  else if (found && (await probe(found.port, paths, credentials)) === "ours") interrupt(found.pid);
  else return;

  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const current = await readPidFile(paths.pid);
    if (child ? hasExited(child) : current?.pid !== found?.pid) return;
    await wait(20);
  }
  throw new Error(`The PostgreSQL of ${paths.data} did not stop; see ${paths.log}.`);
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    // It has already exited.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
