import { join } from "node:path";
import { errorCode, reasonOf } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import { MigrationRefused, migrate, safeDatabaseError, setTimeLimits } from "@cardbridge/service/database";
import type { Env } from "../config/env.ts";
import type { OnLost, Print } from "../process/print.ts";
import { explainReason } from "../process/reason-texts.ts";
import { StartError } from "../process/start-error.ts";

/** A running, migrated database and its connection URLs. */
export interface DatabaseAccess {
  /** For the service's role, which owns no tables. */
  serviceUrl: string;
  /** For the owner of the tables, if the service may migrate and seed. */
  ownerUrl?: string | undefined;
  /** True for the embedded server of this process. Only it has demo data and demo keys. */
  embedded: boolean;
  stop(): Promise<void>;
}

/** Uses the configured database, or starts the embedded one. Migrates it if the owner's URL is known. */
export async function accessDatabase(env: Env, print: Print, onLost: OnLost): Promise<DatabaseAccess> {
  if (env.DATABASE_URL === undefined) return startEmbeddedDatabase(env, print, onLost);
  if (env.MIGRATION_DATABASE_URL !== undefined) {
    await migrateFor(env.DATABASE_URL, env.MIGRATION_DATABASE_URL);
  }
  return {
    serviceUrl: env.DATABASE_URL,
    ownerUrl: env.MIGRATION_DATABASE_URL,
    embedded: false,
    stop: async () => {},
  };
}

/**
 * The URL of the configured database, or of the embedded one that another process runs in DATA_DIR.
 * @throws StartError if there is neither.
 */
export async function findDatabase(env: Env): Promise<string> {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
  const { findEmbedded } = await importPostgres();
  const url = await findEmbedded(postgresFolder(env)).catch((error: unknown) => {
    throw new StartError(error);
  });
  if (url) return url;
  throw new StartError(`No service runs on ${env.DATA_DIR}: start one with npm start, or set DATABASE_URL.`);
}

function postgresFolder(env: Env): string {
  return join(env.DATA_DIR, "postgres");
}

async function startEmbeddedDatabase(env: Env, print: Print, onLost: OnLost): Promise<DatabaseAccess> {
  const { startEmbedded } = await importPostgres();
  const folder = postgresFolder(env);
  const server = await startEmbedded({
    folder,
    onProgress: print,
    onLost: () => onLost("The embedded PostgreSQL"),
  }).catch((error: unknown) => {
    throw new StartError(error);
  });
  const { serviceUrl, ownerUrl, stop } = server;
  try {
    const refusal =
      `A version before 0.2.0, or an unreleased one after it, created the database in ${folder}. ` +
      "Remove this folder and start again.";
    await migrateFor(serviceUrl, ownerUrl, refusal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { serviceUrl, ownerUrl, embedded: true, stop };
}

/**
 * Imports the package only without DATABASE_URL, because the build does not contain it.
 * @throws StartError if the package is not installed.
 */
async function importPostgres(): Promise<typeof import("@cardbridge/postgres")> {
  try {
    return await import("@cardbridge/postgres");
  } catch (error) {
    if (errorCode(error) === "ERR_MODULE_NOT_FOUND")
      throw new StartError("The embedded PostgreSQL is not installed: set DATABASE_URL.");
    throw error;
  }
}

/**
 * Migrates the database as its owner, and grants access to the role of `serviceUrl`, which then sets its time limits.
 * @throws the errors of the store; ConfigurationError if `serviceUrl` names no role, or its role cannot connect.
 */
export async function migrateDatabase(
  serviceUrl: string,
  ownerUrl: string,
  report?: (line: string) => void,
): Promise<void> {
  await migrate(ownerUrl, { grantTo: roleOf(serviceUrl), report });
  await setTimeLimits(serviceUrl).catch((error: unknown) => {
    throw new ConfigurationError([`DATABASE_URL: ${explainReason(reasonOf(safeDatabaseError(error)))}`]);
  });
}

/** @throws StartError with `refusal`, or the store's message, if the database is too old to migrate. */
async function migrateFor(serviceUrl: string, ownerUrl: string, refusal?: string): Promise<void> {
  await migrateDatabase(serviceUrl, ownerUrl).catch((error: unknown) => {
    throw error instanceof MigrationRefused ? new StartError(refusal ?? error) : error;
  });
}

/** The role of a connection URL, to which the migration grants the service's privileges. */
function roleOf(url: string): string {
  const role = decodeURIComponent(new URL(url).username);
  if (role === "")
    throw new ConfigurationError(["DATABASE_URL names no role: use postgres://role:password@host/database."]);
  return role;
}
