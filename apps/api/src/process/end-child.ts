import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Ends a child process unless it has ended or never started, and waits for its end. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
