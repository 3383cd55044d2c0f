import type { Environment } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import {
  claimEnvironment,
  type Database,
  outdatedDatabase,
  readEnvironment,
} from "@cardbridge/service/database";
import { explainReason } from "./reason-texts.ts";

/** The reasons why the database is not usable; empty if it is. */
export async function databaseReasons(database: Pick<Database, "health">): Promise<string[]> {
  const { reachable, reason = "", pendingMigrations, outdated } = await database.health();
  if (!reachable) return [`The database cannot be reached: ${explainReason(reason)}.`];
  if (outdated) return [outdatedDatabase];
  if (pendingMigrations.length === 0) return [];
  return [`The database lacks migrations: ${pendingMigrations.join(", ")}. Run the migration command.`];
}

/**
 * Checks that the database is reachable, up to date and of this environment (gap G36), and that row-level security
 * applies to the role.
 * @throws ConfigurationError with all reasons.
 */
export async function checkDatabase(database: Database, environment: Environment): Promise<void> {
  const reasons = await databaseReasons(database);
  if (reasons.length === 0) reasons.push(...(await database.checkConnection()));
  if (reasons.length === 0) reasons.push(...(await environmentReasons(database, environment)));
  refuse(reasons);
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
}

async function environmentReasons(database: Database, environment: Environment): Promise<string[]> {
  const actual = (await readEnvironment(database)) ?? environment;
  if (actual === environment) return [];
  return [`The database has the environment ${actual}, and ENVIRONMENT is ${environment}.`];
}

/**
 * Stores the environment in a database without one. Only a service that is about to serve calls it: a command of an
 * operator must not decide for ever.
 * @throws ConfigurationError if another service stored the other environment first.
 */
export async function claimDatabase(database: Database, environment: Environment): Promise<void> {
  await claimEnvironment(database, environment);
  refuse(await environmentReasons(database, environment));
}
