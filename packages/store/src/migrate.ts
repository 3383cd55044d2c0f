import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { type Client, escapeIdentifier } from "pg";
import { withConnection } from "./connect.ts";
import { codeOf, originOf } from "./failures.ts";
import { findPending, migrationsFolder } from "./pending.ts";

/** The role that the service serves as: it owns nothing and has the least grants. */
export const serviceRole = "cardbridge_service";

// Any constant, as long as nothing else in this database locks it.
const migrationLock = 7_203_114;
const uniqueViolation = "23505";
/** With which our own migrations stop, in a sentence for people. */
const refusal = "CB001";

/** A migration would lose or expose something and did nothing; `message` says what to do. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

/**
 * Brings the database up to date, as the owner of its tables. Instances that start together wait for each
 * other. `grantTo` is the login role that the service connects as; it becomes a member of `serviceRole`.
 * @throws MigrationRefused when a migration would lose or expose something.
 */
export async function migrate(
  ownerUrl: string,
  options: { grantTo?: string | undefined } = {},
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await runMigrations(drizzle(client), { migrationsFolder }).catch((error: unknown) => {
      const origin = originOf(error);
      if (codeOf(origin) === refusal && origin instanceof Error) throw new MigrationRefused(origin.message);
      throw error;
    });
    if (options.grantTo !== undefined) await grantService(client, options.grantTo);
  });
}

/** Names of the migrations that are still to be run, in order. The service's role may ask. */
export async function pendingMigrations(url: string): Promise<string[]> {
  return withConnection(url, findPending);
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
    // Another database of the cluster granted it at this moment.
    if (codeOf(error) !== uniqueViolation) throw error;
  }
}
