import { resolve } from "node:path";
import { bootstrap } from "./bootstrap.ts";
import { readCredentials, urlOf } from "./credentials.ts";
import { pathsOf } from "./data-folder.ts";
import { readPidFile } from "./pid-file.ts";
import { probe } from "./probe.ts";
import { startServer } from "./server.ts";

export interface EmbeddedOptions {
  /** The data folder; created when it is missing. */
  folder: string;
  /** Receives a sentence before each slow step. */
  onProgress?: ((sentence: string) => void) | undefined;
  /** Called when the server exits unexpectedly. */
  onLost?: (() => void) | undefined;
}

export interface Embedded {
  /** Connects as the owner of the database `cardbridge`, which can create roles. For migrations. */
  ownerUrl: string;
  /** Connects as the login role `cardbridge_app`, which has no privileges until the migrations grant them. */
  serviceUrl: string;
  /** True when this start created the database. */
  fresh: boolean;
  /** Ends every session. Resolves when the data is on disk and the server has exited. */
  stop(): Promise<void>;
}

const database = "cardbridge";

/**
 * Starts a PostgreSQL server on a data folder. The data survives restarts and crashes. The server listens only on a
 * free port of 127.0.0.1. The caller runs the migrations. Call it from the main thread.
 * @throws FolderInUse when another process owns the folder; Error with instructions, or with the server's log.
 */
export async function startEmbedded({ folder, onProgress, onLost }: EmbeddedOptions): Promise<Embedded> {
  const server = await startServer({ folder, durable: true, onProgress });
  const url = (role: "cardbridge_owner" | "cardbridge_app") =>
    urlOf(server.port, server.credentials, role, database);
  try {
    const fresh = await bootstrap(server.admin, server.credentials, database);
    // This connection ends only when the server exits or `stop` closes it.
    const lost = () => onLost?.();
    server.admin.once("end", lost);
    return {
      ownerUrl: url("cardbridge_owner"),
      serviceUrl: url("cardbridge_app"),
      fresh,
      stop() {
        server.admin.off("end", lost);
        return server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Returns the `serviceUrl` of the server that another process runs on a data folder, or null if none is running. It
 * does not start or change anything.
 */
export async function findEmbedded(folder: string): Promise<string | null> {
  const paths = pathsOf(resolve(folder));
  const credentials = await readCredentials(paths.credentials);
  const running = await readPidFile(paths.pid);
  if (!credentials || !running || running.port === 0) return null;
  const listener = await probe(running.port, paths, credentials);
  return listener === "ours" ? urlOf(running.port, credentials, "cardbridge_app", database) : null;
}
