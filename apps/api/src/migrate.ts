import { migrate } from "@cardbridge/store";
import { ConfigurationError, readMigrationEnv } from "./env.ts";
import { roleOf } from "./start/database.ts";
import { say } from "./start/say.ts";

/** The migration command: brings the database up to date as its owner, and lets the service's role use it. */
try {
  const { ownerUrl, serviceUrl } = readMigrationEnv();
  await migrate(ownerUrl, { grantTo: roleOf(serviceUrl) });
  say("The database is up to date.");
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
