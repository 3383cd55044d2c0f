import { realpath, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { type Credentials, urlOf } from "./credentials.ts";
import type { DataFolder } from "./data-folder.ts";
import { codeOf } from "./error-code.ts";
import { readPidFile } from "./pid-file.ts";

/**
 * The listener on a port: `ours` is the server of this folder, `busy` is a server that starts, stops or hangs,
 * `nothing` means that the connection was refused, and `mismatched` is anything else.
 */
export type Listener = "ours" | "busy" | "nothing" | "mismatched";

const cannotConnectNow = /^57P0[123]$/;

/** Connects to determine the listener on a port. A process id is not enough: it may be a zombie or reused. */
export async function probe(port: number, paths: DataFolder, credentials: Credentials): Promise<Listener> {
  const connectionString = urlOf(port, credentials, "postgres", "postgres");
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    return rows[0]?.data_directory === (await realpath(paths.data)) ? "ours" : "mismatched";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ECONNREFUSED") return "nothing";
    return cannotConnectNow.test(code) || isHung(error) ? "busy" : "mismatched";
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Finds the server that runs on a data folder, and waits while it starts or stops. If the port in postmaster.pid
 * refuses connections for two seconds, a killed server left the file, and this function removes it.
 * @returns the port, or null if no server is running.
 * @throws Error when the server stays busy for a minute.
 */
export async function findRunning(paths: DataFolder, credentials: Credentials): Promise<number | null> {
  const deadline = Date.now() + 60_000;
  let refused = { text: "", since: 0 };
  while (Date.now() < deadline) {
    const found = await readPidFile(paths.pid);
    if (!found) return null;
    const listener = found.port === 0 ? "nothing" : await probe(found.port, paths, credentials);
    if (listener === "ours") return found.port;
    // The next start decides: PostgreSQL also checks whether the data is in use.
    if (listener === "mismatched") return null;
    if (listener === "busy" || refused.text !== found.text) refused = { text: found.text, since: Date.now() };
    if (Date.now() - refused.since > 2_000) {
      await rm(paths.pid, { force: true });
      return null;
    }
    await wait(100);
  }
  throw new Error(`The PostgreSQL of ${paths.data} neither starts nor stops; see ${paths.log}.`);
}

function isHung(error: unknown): boolean {
  return error instanceof Error && /timeout|Connection terminated/.test(error.message);
}
