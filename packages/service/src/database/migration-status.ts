import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { errorCode } from "@cardbridge/domain";
import type { ClientBase, Pool } from "pg";

/** The folder of the migrations, in drizzle-kit's layout. The build copies it beside the bundle. */
export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** What an operator has to do with a database whose `MigrationStatus` is `outdated`. */
export const outdatedDatabase =
  "A version before 0.2.0, or an unreleased one after it, created the database, and this version cannot migrate it. " +
  "Create a new, empty database.";

export interface MigrationStatus {
  /** The names of the migrations that the database has not run, in order. */
  pendingMigrations: string[];
  /** Set when the database has run migrations that this version replaced. */
  outdated?: true;
}

interface Journal {
  entries: { tag: string; when: number }[];
}

const undefinedTable = "42P01";

/** The migrations of a folder in their order, each with the time of its generation. */
export async function readJournal(folder: string): Promise<Journal["entries"]> {
  const { entries }: Journal = JSON.parse(await readFile(`${folder}/meta/_journal.json`, "utf8"));
  return entries;
}

/** Compares the migrations of a database with those of this version. The service's role may call it. */
export async function migrationStatus(
  database: ClientBase | Pool,
  folder: string = migrationsFolder,
): Promise<MigrationStatus> {
  const entries = await readJournal(folder);
  const done = await findDone(database);
  const own = new Set(entries.map(({ when }) => when));
  const newest = Math.max(...own);
  const pendingMigrations = entries.filter(({ when }) => !done.includes(when)).map(({ tag }) => tag);
  // Migrations that replaced others are newer than all of them. Migrations newer than this version belong to a later
  // version, beside which this version serves during a deployment.
  const outdated = done.some((when) => !own.has(when) && when < newest);
  return outdated ? { pendingMigrations, outdated } : { pendingMigrations };
}

/** The time at which each applied migration was generated, by which drizzle identifies a migration. */
async function findDone(database: ClientBase | Pool): Promise<number[]> {
  try {
    const { rows } = await database.query<{ when: string }>(
      'select created_at::text as "when" from drizzle.__drizzle_migrations',
    );
    return rows.map(({ when }) => Number(when));
  } catch (error) {
    if (errorCode(error) === undefinedTable) return [];
    throw error;
  }
}
