import { errorCode } from "@cardbridge/domain";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { type Client, escapeIdentifier } from "pg";
import { withConnection } from "./connect.ts";
import { migrationStatus, migrationsFolder, outdatedDatabase } from "./migration-status.ts";

/** The role of the service: it owns no objects and has only the grants that the service needs. */
export const serviceRole = "cardbridge_service";

// An arbitrary constant: nothing else in this database takes this advisory lock.
const migrationLock = 7_203_114;
const uniqueViolation = "23505";

/** Each deployment runs the migrations and creates the partitions of the audit for a year. */
const auditMonths = 12;

/** This version cannot migrate the database, which is unchanged; `message` says what to do. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

/**
 * Runs the pending migrations as the owner of the tables. Instances that start at the same time wait for each
 * other. `grantTo` is the login role of the service; it becomes a member of `serviceRole`.
 * @throws MigrationRefused when the database has run migrations that this version does not contain.
 */
export async function migrate(
  ownerUrl: string,
  options: { grantTo?: string | undefined } = {},
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    const { outdated } = await migrationStatus(client);
    if (outdated) throw new MigrationRefused(outdatedDatabase);
    await runMigrations(drizzle(client), { migrationsFolder });
    await client.query("select create_audit_months($1)", [auditMonths]);
    if (options.grantTo !== undefined) await grantService(client, options.grantTo);
  });
}

/** The names of the migrations that the database has not run, in order. The service's role may call it. */
export async function pendingMigrations(url: string): Promise<string[]> {
  return (await withConnection(url, migrationStatus)).pendingMigrations;
}

async function grantService(client: Client, role: string): Promise<void> {
  const member = await client.query(
    "select from pg_auth_members where roleid = $1::regrole and member = (select oid from pg_roles where rolname = $2)",
    [serviceRole, role],
  );
  if (member.rowCount !== 0) return;
  try {
    await client.query(`grant ${serviceRole} to ${escapeIdentifier(role)}`);
  } catch (error) {
    // A migration of another database of the cluster granted it at the same time.
    if (errorCode(error) !== uniqueViolation) throw error;
  }
}
