import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The address of the embedded PostgreSQL that the service runs in its folder, as the owner of its database. */
export function ownerUrlOf(folder) {
  const { cardbridge_owner: password } = JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8"));
  const port = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  return `postgres://cardbridge_owner:${password}@127.0.0.1:${port}/cardbridge?sslmode=disable`;
}

/** Lets the planner know what there is: on tables that were empty a minute ago it would still think so. */
export async function analyze(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("analyze");
  await client.end();
}
