import { migrate } from "@cardbridge/store";
import { ConfigurationError, readMigrationEnv } from "./config/env.ts";
import { endProcess, standardError } from "./process/standard.ts";
import { refuseArguments } from "./process/arguments.ts";
import { roleOf } from "./composition/database.ts";
import { say } from "./process/print.ts";

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
  await migrate(ownerUrl, { grantTo: roleOf(serviceUrl) });
  say("The database is up to date.");
  await endProcess(0);
} catch (error) {
  const words =
    error instanceof ConfigurationError ? error.message : `MIGRATION_DATABASE_URL: ${inWords(error)}`;
  standardError.write(`${words}\n`);
  await endProcess(1);
}
