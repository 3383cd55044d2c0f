import { type Database, outdatedDatabase } from "@cardbridge/store";
import { ConfigurationError } from "../env.ts";

const words: Record<string, string> = {
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its host is not known",
  "28P01": "the role or its password is wrong",
  "28000": "the role may not connect",
  "3D000": "there is no database of this name",
  timeout: "it does not answer",
};

/** Why the database cannot serve now, as sentences; none when it can. */
export async function databaseReasons(database: Pick<Database, "health">): Promise<string[]> {
  const { reachable, reason = "", pendingMigrations, outdated } = await database.health();
  if (!reachable) return [`The database cannot be reached: ${words[reason] ?? "it failed"} (${reason}).`];
  if (outdated) return [outdatedDatabase];
  if (pendingMigrations.length === 0) return [];
  return [`The database lacks migrations: ${pendingMigrations.join(", ")}. Run the migration command.`];
}

/**
 * Refuses a database that cannot be reached, lacks migrations or was created by a version before 0.1.0, and a role
 * that row-level security would not restrict.
 * @throws ConfigurationError with every reason at once.
 */
export async function checkDatabase(database: Database): Promise<void> {
  const reasons = await databaseReasons(database);
  if (reasons.length === 0) reasons.push(...(await database.checkRole()));
  if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
}
