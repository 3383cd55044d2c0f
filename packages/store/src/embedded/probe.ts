import { realpath, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { codeOf } from "../failures.ts";
import { type Credentials, urlOf } from "./credentials.ts";
import type { Files } from "./files.ts";
import { readPidFile } from "./pid-file.ts";

/**
 * Who answers on a port: `ours` is this folder's server; `busy` one that starts up, shuts down or hangs;
 * `nobody` refuses; `foreign` is something else.
 */
export type Answer = "ours" | "busy" | "nobody" | "foreign";

const cannotConnectNow = /^57P0[123]$/;

/** Asks by connecting: whether a process lives says nothing, it may be a zombie or someone else's. */
export async function probe(port: number, files: Files, credentials: Credentials): Promise<Answer> {
  const connectionString = urlOf(port, credentials, "postgres", "postgres");
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    return rows[0]?.data_directory === (await realpath(files.data)) ? "ours" : "foreign";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ECONNREFUSED") return "nobody";
    return cannotConnectNow.test(code) || hung(error) ? "busy" : "foreign";
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Finds the server that runs on a data folder, waiting while it starts or stops. A postmaster.pid whose port
 * refuses for two seconds was left by a server that was killed, and is removed.
 * @returns the port, or null when there is no server to use.
 * @throws Error when it stays busy for a minute.
 */
export async function findRunning(files: Files, credentials: Credentials): Promise<number | null> {
  const deadline = Date.now() + 60_000;
  let refused = { text: "", since: 0 };
  while (Date.now() < deadline) {
    const found = await readPidFile(files.pid);
    if (!found) return null;
    const answer = found.port === 0 ? "nobody" : await probe(found.port, files, credentials);
    if (answer === "ours") return found.port;
    // PostgreSQL itself judges the file better: it also looks whether the data are in use.
    if (answer === "foreign") return null;
    if (answer === "busy" || refused.text !== found.text) refused = { text: found.text, since: Date.now() };
    if (Date.now() - refused.since > 2_000) {
      await rm(files.pid, { force: true });
      return null;
    }
    await wait(100);
  }
  throw new Error(`The PostgreSQL of ${files.data} neither starts nor stops; see ${files.log}.`);
}

function hung(error: unknown): boolean {
  return error instanceof Error && /timeout|Connection terminated/.test(error.message);
}
