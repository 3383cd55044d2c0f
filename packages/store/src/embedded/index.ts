import { resolve } from "node:path";
import { bootstrap } from "./bootstrap.ts";
import { readCredentials, urlOf } from "./credentials.ts";
import { filesOf } from "./files.ts";
import { readPidFile } from "./pid-file.ts";
import { probe } from "./probe.ts";
import { startServer } from "./server.ts";

export { FolderInUse } from "./ownership.ts";

export interface EmbeddedOptions {
  /** The data folder; made when it is missing. */
  folder: string;
  /** Hears what takes time, in sentences. */
  onProgress?: ((sentence: string) => void) | undefined;
  /** Told when the server ended by itself. */
  onLost?: (() => void) | undefined;
}

export interface Embedded {
  /** Owns the database `cardbridge` and may create roles: for `migrate` and the put functions. */
  ownerUrl: string;
  /** The login role `cardbridge_app`: for `openDatabase`, once migrations have run and granted it access. */
  serviceUrl: string;
  /** The database was made by this start. */
  fresh: boolean;
  /** Ends every session and returns when the server is gone and its data are on disk. */
  stop(): Promise<void>;
}

const database = "cardbridge";

/**
 * Starts a real PostgreSQL, with a database that survives restarts and crashes, in a folder. It listens on a
 * free port of 127.0.0.1 only. Migrations are the caller's: `migrate(ownerUrl, { grantTo: "cardbridge_app" })`.
 * Call it from the main thread.
 * @throws FolderInUse when another process has the folder; Error with what to do, or with the server's words.
 */
export async function startEmbedded({ folder, onProgress, onLost }: EmbeddedOptions): Promise<Embedded> {
  const server = await startServer({ folder, durable: true, onProgress });
  const url = (role: "cardbridge_owner" | "cardbridge_app") =>
    urlOf(server.port, server.credentials, role, database);
  try {
    const fresh = await bootstrap(server.admin, server.credentials, database);
    // The connection that holds the folder lasts as long as the server, unless we end it ourselves.
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
 * The `serviceUrl` of the server that another process runs in a folder; null where none runs. Only looks:
 * it takes, starts and changes nothing.
 */
export async function findEmbedded(folder: string): Promise<string | null> {
  const files = filesOf(resolve(folder));
  const credentials = await readCredentials(files.credentials);
  const running = await readPidFile(files.pid);
  if (!credentials || !running || running.port === 0) return null;
  const answer = await probe(running.port, files, credentials);
  return answer === "ours" ? urlOf(running.port, credentials, "cardbridge_app", database) : null;
}
