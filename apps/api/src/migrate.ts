import { migrateDatabase } from "./composition/database.ts";
import { ConfigurationError } from "./config/configuration-error.ts";
import { readMigrationEnv } from "./config/env.ts";
import { refuseArguments } from "./process/arguments.ts";
import { print } from "./process/print.ts";
import { endProcess, standardError } from "./process/standard.ts";

refuseArguments(
  "migrate.js",
  "Brings the database up to date as its owner, MIGRATION_DATABASE_URL, and lets the role of DATABASE_URL use it.",
);

/** The server's own words: drizzle wraps them into an error that shows the statement instead. */
function inWords(error: unknown): string {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return origin instanceof Error ? origin.message || origin.name : String(origin);
}

try {
  const { ownerUrl, serviceUrl } = readMigrationEnv();
  await migrateDatabase(serviceUrl, ownerUrl);
  print("The database is up to date.");
  await endProcess(0);
} catch (error) {
  const words =
    error instanceof ConfigurationError ? error.message : `MIGRATION_DATABASE_URL: ${inWords(error)}`;
  standardError.write(`${words}\n`);
  await endProcess(1);
}
