import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "./account.ts";
import type { Credentials } from "./credentials.ts";
import type { DataFolder } from "./data-folder.ts";
import { probe } from "./probe.ts";

export interface Launched {
  port: number;
  child: ChildProcess;
}

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "timezone=UTC",
  "log_timezone=UTC",
  // The log never contains values of rows or statements.
  "log_error_verbosity=terse",
  "log_min_error_statement=panic",
  "log_parameter_max_length_on_error=0",
  "log_checkpoints=off",
];
// Autovacuum would disturb what tests measure, and its transactions delay checkpoints.
const nonDurableSettings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];

/**
 * Starts a server on a free port of 127.0.0.1 and waits until it accepts connections.
 * @throws Error with the end of the server's log if it does not start. The server has exited by then.
 */
export async function launch(
  paths: DataFolder,
  credentials: Credentials,
  server: { account: Account; postgres: string; durable: boolean },
  attemptsLeft = 5,
): Promise<Launched> {
  const { account, postgres, durable } = server;
  const port = await freePort();
  const flags = [...settings, ...(durable ? [] : nonDurableSettings)].flatMap((setting) => ["-c", setting]);
  const { file, args, options } = account.command(postgres, ["-D", paths.data, "-p", String(port), ...flags]);
  const log = await open(paths.log, "w", 0o600);
  // Detached, so that Ctrl-C in a terminal does not stop the server before the service has drained.
  const child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", log.fd, log.fd] });
  let failure: Error | undefined;
  child.on("error", (error) => {
    failure = error;
  });
  child.unref();
  await log.close();

  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && !failure && !hasExited(child)) {
    if ((await probe(port, paths, credentials)) === "ours") return { port, child };
    await wait(20);
  }
  child.kill("SIGINT");
  const stopDeadline = Date.now() + 10_000;
  while (!failure && !hasExited(child) && Date.now() < stopDeadline) await wait(20);
  const lastLines = (await readFile(paths.log, "utf8")).trim().split("\n").slice(-10).join("\n");
  // Another process took the port after `freePort` gave it back.
  if (lastLines.includes("could not bind") && attemptsLeft > 1)
    return launch(paths, credentials, server, attemptsLeft - 1);
  throw new Error(`PostgreSQL did not start; the end of ${paths.log}:\n${lastLines}`, { cause: failure });
}

/** True when the operating system has reported the exit of a child process. */
export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
