import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { StartError } from "./start-error.ts";

/** True in a process that `keepProcesses` started. It exits at once if its parent ends. */
export const isChild: boolean = cluster.isWorker;

/** Reports to the parent that this process serves. */
export function reportReady(message: object): void {
  cluster.worker?.send(message);
}

export interface ChildProcesses<T> {
  /** What each process reported when it was ready. */
  ready: T[];
  /** Sends SIGTERM to all processes and waits for their end. */
  stop(): Promise<void>;
}

/** The unexpected end of a process: its exit code, or the signal that ended it. */
export type OnEnded = (end: number | string, restartInMs: number) => void;

/** The delays before a restart: doubled while the process keeps ending within `stableMs`. */
const minDelayMs = 1_000;
const maxDelayMs = 30_000;
const stableMs = 60_000;

/**
 * Starts this program once for each set of variables, and starts again what ends. The first process starts alone, so that
 * its message is the only one if it cannot.
 * @throws StartError if a process ends before all are ready. The others are ended.
 */
export async function keepProcesses<T>(
  variables: readonly Record<string, string>[],
  onEnded: OnEnded,
): Promise<ChildProcesses<T>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<Worker, Promise<number | string>>();

  function start(own: Record<string, string>) {
    const worker = cluster.fork(own);
    const ended = once(worker, "exit").then(
      ([code, by]): number | string => by ?? code,
      () => "not started",
    );
    void ended.then(() => running.delete(worker));
    running.set(worker, ended);
    const failed = ended.then(() => {
      throw new StartError("A process of the service did not start. See its message above.");
    });
    const ready = Promise.race([once(worker, "message").then(([message]) => message as T), failed]);
    ready.catch(() => {});
    return { ready, ended };
  }

  async function keep(own: Record<string, string>, ended: Promise<number | string>): Promise<void> {
    let delayMs = minDelayMs / 2;
    for (let current = ended; ; current = start(own).ended) {
      const since = performance.now();
      const end = await current;
      if (signal.aborted) return;
      delayMs = performance.now() - since > stableMs ? minDelayMs : Math.min(2 * delayMs, maxDelayMs);
      onEnded(end, delayMs);
      await wait(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    for (const worker of running.keys()) worker.process.kill("SIGTERM");
    await Promise.all(running.values());
  }

  try {
    const [first, ...others] = variables;
    const started = first ? [start(first)] : [];
    await started[0]?.ready;
    started.push(...others.map(start));
    const ready = await Promise.all(started.map((each) => each.ready));
    for (const [index, own] of variables.entries()) {
      const child = started[index];
      if (child) void keep(own, child.ended);
    }
    return { ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
