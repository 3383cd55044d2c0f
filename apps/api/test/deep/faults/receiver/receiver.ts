import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { unusedPort } from "../../../support/unused-port.ts";

const program = fileURLToPath(new URL("receive.mjs", import.meta.url));

/** The probabilities of the receiver's faults; 0 when absent. */
export interface ReceiverFaults {
  dieBefore?: number;
  dieAfter?: number;
  refuse?: number;
}

/** A delivery, in the order of arrival. */
export interface Arrival {
  /** The header webhook-id. */
  id: string;
  /** Whether its signature is right. */
  verified: boolean;
  body: string;
}

export interface Receiver {
  url: string;
  /** Replaces the process with one that has these faults. */
  restart(faults?: ReceiverFaults): Promise<void>;
  /** Ends the process as kill -9 does. It restarts automatically. */
  kill(): void;
  /** How often it was killed or died. */
  deaths(): number;
  arrivals(): Promise<Arrival[]>;
  close(): Promise<void>;
}

/** Starts a receiver in a separate process, which restarts on the same port whenever it dies. */
export async function startReceiver(file: string, secret: string): Promise<Receiver> {
  await writeFile(file, "");
  let faults: ReceiverFaults = {};
  const port = String(await unusedPort());
  let deaths = 0;
  let closed = false;
  let child: ChildProcess;

  async function start(): Promise<void> {
    const { dieBefore = 0, dieAfter = 0, refuse = 0 } = faults;
    const probabilities = { DIE_BEFORE: `${dieBefore}`, DIE_AFTER: `${dieAfter}`, REFUSE: `${refuse}` };
    const started = spawn(process.execPath, [program], {
      env: { PORT: port, FILE: file, SECRET: secret, ...probabilities },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    started.once("close", () => {
      if (closed || child !== started) return;
      deaths += 1;
      void start();
    });
    await Promise.race([once(started.stdout, "data"), once(started, "close")]);
  }

  /** Ends the current process without another start. */
  async function end(): Promise<void> {
    const ending = child;
    child = Object.create(null);
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill("SIGKILL");
    await once(ending, "close");
  }

  await start();
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async restart(next = {}) {
      await end();
      faults = next;
      await start();
    },
    kill: () => void child.kill?.("SIGKILL"),
    deaths: () => deaths,
    async arrivals() {
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.endsWith("}"));
      return lines.map((line) => JSON.parse(line) as Arrival);
    },
    async close() {
      closed = true;
      await end();
    },
  };
}
