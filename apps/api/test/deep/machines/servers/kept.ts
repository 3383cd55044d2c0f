import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** A process that starts again when it ends, as under a service manager. */
export interface Kept {
  url: string;
  /** Sends a signal that ends it, and waits until it runs again. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Stops it where it is, for a time. */
  freeze(ms: number): Promise<void>;
  /** Kills it until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a process, and starts it again whenever it ends, until `stop`. */
export async function keep(url: string, startOne: () => Promise<{ child: ChildProcess }>): Promise<Kept> {
  let isWanted = true;
  let child: ChildProcess | undefined;

  async function run(): Promise<void> {
    while (isWanted) {
      try {
        const started = await startOne();
        child = started.child;
        if (!isWanted) child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      } catch {
        // It did not start, because the database or the address is not there yet.
        await wait(500);
      }
      child = undefined;
    }
  }
  let running = run();
  const isUp = () => forever(() => child !== undefined);
  await isUp();
  return {
    url,
    async end(signal) {
      const ended = child && once(child, "exit");
      child?.kill(signal);
      await ended;
      await isUp();
    },
    async freeze(ms) {
      child?.kill("SIGSTOP");
      await wait(ms);
      child?.kill("SIGCONT");
    },
    async stop() {
      isWanted = false;
      child?.kill("SIGKILL");
      await running;
    },
    async start() {
      isWanted = true;
      running = run();
      await isUp();
    },
  };
}

/** Waits as long as it takes: the test's own limit ends what hangs. */
export async function forever(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(100);
}
