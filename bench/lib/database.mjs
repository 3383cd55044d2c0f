import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { cpuOf, cpuOfChildren, start } from "./process.mjs";

/**
 * Starts a migrated PostgreSQL in a folder: the embedded server of a development start, in a process of its own.
 *
 * @param env further variables for that process: the same keys and provider as for all other processes
 */
export async function startDatabase(folder, env) {
  const program = await start(
    "../apps/api/dist/main.js",
    { ...env, RUN: "api", PORT: "0", METRICS_PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" },
    /Address +(\S+)/,
  );
  const postgres = join(folder, "postgres");
  const passwords = JSON.parse(readFileSync(join(postgres, "credentials.json"), "utf8"));
  const state = readFileSync(join(postgres, "postgres", "postmaster.pid"), "utf8").split("\n");
  const [server, port] = [{ child: { pid: Number(state[0]) } }, state[3]];
  const urlOf = (role) =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/cardbridge?sslmode=disable`;
  // A superuser, to whom row-level security does not apply, for the benchmark's own statements.
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  const query = (text, values) => client.query(text, values).then(({ rows }) => rows);
  return {
    adminUrl: urlOf("postgres"),
    ownerUrl: urlOf("cardbridge_owner"),
    serviceUrl: urlOf("cardbridge_app"),
    query,
    /** What all processes of the server have used: CPU time in microseconds, and bytes of the write-ahead log. */
    async used() {
      const [{ wal }] = await query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal");
      return { cpu: cpuOf(server) + cpuOfChildren(server), wal };
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await program.stop();
    },
  };
}
