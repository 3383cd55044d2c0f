import { readFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { urlOf } from "@cardbridge/postgres";
import type { TestServer } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { until } from "../../../support/until.ts";
import { unusedPort } from "../../../support/unused-port.ts";
import {
  makeServerFolder,
  runProgram,
  type ServerProcess,
  startProgram,
  writeServerFile,
} from "./account.ts";
import type { Disk } from "./disk.ts";

const password = "drill";
const credentials = { postgres: password, cardbridge_owner: password, cardbridge_app: password };

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=300",
  // A server that becomes a standby again needs the log since it stopped.
  "wal_keep_size=1GB",
  "wal_retrieve_retry_interval=100ms",
].flatMap((setting) => ["-c", setting]);

/** Copies the data of a running server into a folder. */
export async function backUp({ port }: { port: number }, folder: string): Promise<void> {
  const source = urlOf(port, credentials, "postgres", "postgres");
  await runProgram("pg_basebackup", ["--pgdata", folder, "--dbname", source, "--checkpoint=fast"]);
}

/** How a server stops: after its sessions have ended, or as in a crash. */
type StopMode = "fast" | "immediate";

export type PostgresServer = Awaited<ReturnType<typeof createPostgres>>;

/** The URLs of the roles of a server at a port, which can be that of a proxy. */
export function serverAt(port: number): TestServer {
  const url = (role: keyof typeof credentials) => urlOf(port, credentials, role, "");
  return {
    urls: {
      postgres: url("postgres"),
      cardbridge_owner: url("cardbridge_owner"),
      cardbridge_app: url("cardbridge_app"),
    },
  };
}

/**
 * Creates and starts a server: an empty one, a standby of another one, or one whose folder `restore` fills.
 *
 * @param disk where an empty server has its data
 */
export async function createPostgres(
  source?: { port: number } | { restore(data: string): Promise<void> },
  disk?: Disk,
) {
  const folder = await makeServerFolder();
  const data = join(disk?.folder ?? folder, "data");
  const port = await unusedPort();
  let current: ServerProcess | undefined;

  const isRunning = () =>
    current !== undefined && current.child.exitCode === null && current.child.signalCode === null;

  /** The server's process, and its children. */
  function processes(): number[] {
    if (!isRunning()) return [];
    const pid = Number(current?.child.pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return [pid, ...children.trim().split(" ").filter(Boolean).map(Number)];
  }

  function signalAll(signal: NodeJS.Signals): void {
    // The first one starts the others.
    for (const pid of processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }

  /** Ends every process at once, as the loss of the machine does. */
  async function kill(): Promise<void> {
    signalAll("SIGKILL");
    await current?.ended;
  }

  /** Runs a statement as a superuser, on a new connection to this server. */
  async function query<T>(statement: string, database = "postgres"): Promise<T[]> {
    const connectionString = urlOf(port, credentials, "postgres", database);
    const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function start(): Promise<void> {
    const server = startProgram("postgres", ["-D", data, "-p", String(port), ...settings], disk);
    current = server;
    await until(async () => {
      if (server.child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${server.output()}`);
      return query("select").then(
        () => true,
        () => false,
      );
    });
  }

  /** Makes this server, which is stopped, a standby of another one. */
  async function follow(other: { port: number }): Promise<void> {
    const source = urlOf(other.port, credentials, "postgres", "postgres");
    await appendFile(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
    await writeServerFile(join(data, "standby.signal"), "");
  }

  if (source && "restore" in source) {
    await source.restore(data);
  } else if (source) {
    await backUp(source, data);
    await follow(source);
  } else {
    const passwordFile = join(folder, "password");
    await writeServerFile(passwordFile, password);
    const options = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
    await runProgram("initdb", ["-D", data, `--pwfile=${passwordFile}`, ...options], disk);
  }
  onTestFinished(kill);
  await start();

  return {
    port,
    query,
    start,
    isRunning,
    async stop(mode: StopMode): Promise<void> {
      current?.child.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await current?.ended;
    },
    kill,
    /** Stops every process where it is: connections stay open, and nothing answers. */
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    /** Ends the recovery of a standby, which becomes a primary on a new timeline. */
    promote: () => runProgram("pg_ctl", ["promote", "--wait", "-D", data]),
    async configure(name: string, value: string): Promise<void> {
      await query(`alter system set ${name} = '${value}'`);
      await query("select pg_reload_conf()");
    },
  };
}
