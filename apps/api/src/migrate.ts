import { migrate } from "@cardbridge/store";
import { ConfigurationError, readMigrationEnv } from "./env.ts";
import { roleOf } from "./start/database.ts";
import { say } from "./start/say.ts";

/** The server's own words: drizzle wraps them into an error that shows the statement instead. */
function inWords(error: unknown): string {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return origin instanceof Error ? origin.message || origin.name : String(origin);
}

/** The migration command: brings the database up to date as its owner, and lets the service's role use it. */
try {
  const { ownerUrl, serviceUrl } = readMigrationEnv();
  await migrate(ownerUrl, { grantTo: roleOf(serviceUrl) });
  say("The database is up to date.");
} catch (error) {
  const words =
    error instanceof ConfigurationError ? error.message : `MIGRATION_DATABASE_URL: ${inWords(error)}`;
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
