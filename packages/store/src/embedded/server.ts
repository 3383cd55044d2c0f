import type { ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "pg";
import { isUnavailable } from "../failures.ts";
import { findAccount } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { exists, makeCluster, removeDrafts } from "./cluster.ts";
import { type Credentials, makeCredentials, readCredentials, urlOf } from "./credentials.ts";
import { type Files, filesOf } from "./files.ts";
import { launch } from "./launch.ts";
import { FolderInUse, own } from "./ownership.ts";
import { findRunning } from "./probe.ts";
import { stopServer } from "./stop.ts";

export interface ServerOptions {
  folder: string;
  /** False lets a crash of the machine lose data: for tests. */
  durable: boolean;
  onProgress?: ((sentence: string) => void) | undefined;
}

export interface Server {
  /** A superuser's connection, which holds the folder. */
  admin: Client;
  port: number;
  credentials: Credentials;
  stop(): Promise<void>;
}

interface Running {
  port: number;
  child?: ChildProcess;
}

/**
 * Starts the PostgreSQL of a data folder, or takes over the one that a killed process left, and makes this
 * process the folder's one owner. Call it from the main thread: the server ends with the thread that starts it.
 * @throws FolderInUse; Error that says what to do. Nothing of ours is left running then.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const folder = resolve(options.folder);
  const files = filesOf(folder);
  const binaries = await findBinaries();
  const account = findAccount(binaries.postgres);
  await account.makeFolder(folder);
  const credentials = await prepare(files, { ...options, account, binaries });

  const start = async (attempt: number): Promise<Server> => {
    const running = await findOrLaunch();
    try {
      const admin = await own(urlOf(running.port, credentials, "postgres", "postgres"), folder);
      await removeDrafts(folder);
      return { admin, port: running.port, credentials, stop: () => stop(admin, running) };
    } catch (error) {
      if (!(error instanceof FolderInUse) && running.child)
        await stopServer(files, credentials, running.child);
      // The server that was found was about to stop.
      if (attempt < 3 && !running.child && isUnavailable(error)) return start(attempt + 1);
      throw error;
    }
  };

  async function findOrLaunch(attempt = 1): Promise<Running> {
    const port = await findRunning(files, credentials);
    if (port !== null) {
      // Whoever starts a server at this moment comes first.
      await wait(500);
      return { port };
    }
    options.onProgress?.("Starting PostgreSQL.");
    try {
      return await launch(files, credentials, {
        account,
        postgres: binaries.postgres,
        durable: options.durable,
      });
    } catch (error) {
      // Another process was faster, with the port or with the folder.
      if (attempt === 3) throw error;
      return findOrLaunch(attempt + 1);
    }
  }

  async function stop(admin: Client, running: Running): Promise<void> {
    await admin.end();
    await stopServer(files, credentials, running.child);
  }

  return start(1);
}

/** Makes passwords and a cluster where there are none. */
async function prepare(
  files: Files,
  options: ServerOptions & { account: ReturnType<typeof findAccount>; binaries: Binaries },
): Promise<Credentials> {
  const isNew = !(await exists(files.data));
  if (isNew) await makeCredentials(files.credentials);
  const credentials = await readCredentials(files.credentials);
  if (!credentials) {
    throw new Error(`${files.credentials} is missing, so the database beside it cannot be opened.`);
  }
  if (isNew) {
    options.onProgress?.(`Making a new database in ${files.data}.`);
    const { account, binaries, durable } = options;
    await makeCluster(files.data, {
      account,
      initdb: binaries.initdb,
      password: credentials.postgres,
      durable,
    });
  }
  return credentials;
}
