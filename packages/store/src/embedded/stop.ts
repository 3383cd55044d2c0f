import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Credentials } from "./credentials.ts";
import type { Files } from "./files.ts";
import { hasExited } from "./launch.ts";
import { readPidFile } from "./pid-file.ts";
import { probe } from "./probe.ts";

/**
 * Shuts the server of a data folder down: sessions end, the data are written, and it is gone when this
 * returns. `child` is the server's process where this process started it.
 * @throws Error when it takes longer than a minute.
 */
export async function stopServer(
  files: Files,
  credentials: Credentials,
  child?: ChildProcess,
): Promise<void> {
  const found = await readPidFile(files.pid);
  if (child) child.kill("SIGINT");
  else if (found && (await probe(found.port, files, credentials)) === "ours") interrupt(found.pid);
  else return;

  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const current = await readPidFile(files.pid);
    if (child ? hasExited(child) : current?.pid !== found?.pid) return;
    await wait(20);
  }
  throw new Error(`The PostgreSQL of ${files.data} did not stop; see ${files.log}.`);
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    // It went by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
