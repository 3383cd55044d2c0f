import { ConfigurationError, version } from "@cardbridge/node";
import { migrateDatabase } from "./boot/database.ts";
import { readMigrationEnv } from "./config/env.ts";
import { readArguments } from "./process/arguments.ts";
import { print } from "./process/print.ts";
import { endProcess, standardError } from "./process/standard.ts";

readArguments(
  "migrate.js",
  "Migrates the database as its owner, MIGRATION_DATABASE_URL, and grants access to the role of DATABASE_URL.",
);

/** The server's message. Drizzle wraps it in an error with the statement. */
function messageOf(error: unknown): string {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return origin instanceof Error ? origin.message || origin.name : String(origin);
}

try {
  const { ownerUrl, serviceUrl } = readMigrationEnv();
  await migrateDatabase(serviceUrl, ownerUrl, print);
  print(`The database is up to date with version ${version}.`);
  await endProcess(0);
} catch (error) {
  const message =
    error instanceof ConfigurationError ? error.message : `MIGRATION_DATABASE_URL: ${messageOf(error)}`;
  standardError.write(`${message}\n`);
  await endProcess(1);
}
