import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ClientBase, Pool } from "pg";
import { codeOf } from "./failures.ts";

/** The folder of the migrations, as drizzle-kit lays it out; beside the bundle as beside this source. */
export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

interface Journal {
  entries: { tag: string; when: number }[];
}

const undefinedTable = "42P01";

/** Names of the migrations, in order, that this database has not seen. Works as the service's role. */
export async function findPending(database: ClientBase | Pool): Promise<string[]> {
  const journal: Journal = JSON.parse(await readFile(`${migrationsFolder}/meta/_journal.json`, "utf8"));
  const done = new Set(await findDone(database));
  return journal.entries.filter(({ when }) => !done.has(String(when))).map(({ tag }) => tag);
}

async function findDone(database: ClientBase | Pool): Promise<string[]> {
  try {
    const found = await database.query<{ when: string }>(
      'select created_at::text as "when" from drizzle.__drizzle_migrations',
    );
    return found.rows.map(({ when }) => when);
  } catch (error) {
    if (codeOf(error) === undefinedTable) return [];
    throw error;
  }
}
