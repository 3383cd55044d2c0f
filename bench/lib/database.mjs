import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { start } from "./process.mjs";

/**
 * A PostgreSQL in a folder, migrated: the one that a start in development brings, by a process that does nothing else.
 *
 * @param env what that process needs besides: the same keys and provider as all others
 */
export async function startDatabase(folder, env) {
  const program = await start(
    "../apps/api/dist/main.js",
    { ...env, RUN: "api", PORT: "0", METRICS_PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent" },
    /Address +(\S+)/,
  );
  const postgres = join(folder, "postgres");
  const passwords = JSON.parse(readFileSync(join(postgres, "credentials.json"), "utf8"));
  const port = readFileSync(join(postgres, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const urlOf = (role) =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/cardbridge?sslmode=disable`;
  // A superuser, whom row-level security does not hold: for what the bench itself does and asks.
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  return {
    ownerUrl: urlOf("cardbridge_owner"),
    serviceUrl: urlOf("cardbridge_app"),
    query: (text, values) => client.query(text, values).then(({ rows }) => rows),
    async [Symbol.asyncDispose]() {
      await client.end();
      await program.stop();
    },
  };
}
