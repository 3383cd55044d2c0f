import { errorCode } from "@cardbridge/domain";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { type Client, escapeIdentifier } from "pg";
import { grantBackup } from "./backup-access.ts";
import { withConnection } from "./connect.ts";
import { continueAudit } from "./continue-audit.ts";
import { migrationStatus, migrationsFolder, outdatedDatabase, readJournal } from "./migration-status.ts";
import { MigrationRefused, migrationTransaction } from "./migration-transaction.ts";
import { grantOperators } from "./operators-access.ts";
import { isRestoredWithoutRoles, restoredWithoutRoles } from "./restored-database.ts";

/** The role of the service: it owns no objects and has only the grants that the service needs. */
export const serviceRole = "cardbridge_service";

const uniqueViolation = "23505";

/** Each deployment runs the migrations and creates the partitions of the audit for a year. */
const auditMonths = 12;

/** The first line of a migration whose statements run outside of a transaction, on a connection of their own. */
export const outsideTransaction = "-- outside a transaction\n";

interface MigrateOptions {
  /** The login role of the service. It becomes a member of `serviceRole`. */
  grantTo?: string | undefined;
  /** Receives a line for each migration, and for each wait. */
  report?: ((line: string) => void) | undefined;
  /** The folder of the migrations. The default is that of this version. */
  folder?: string;
}

/**
 * Runs the pending migrations as the owner of the tables, each in a transaction of its own, or with `outsideTransaction`
 * statement by statement: the ones before a failure stay. Instances that start at the same time wait for each other.
 * @throws MigrationRefused when the database has run migrations that this version does not contain, when a dump was
 *   restored before its roles existed, or when another migration does not end.
 */
export async function migrate(
  ownerUrl: string,
  { grantTo, report, folder = migrationsFolder }: MigrateOptions = {},
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    const inTransaction = (name: string, work: () => Promise<unknown>) =>
      migrationTransaction(client, name, work, { report });
    if (await isRestoredWithoutRoles(client, serviceRole)) throw new MigrationRefused(restoredWithoutRoles);
    const { outdated, pendingMigrations: pending } = await migrationStatus(client, folder);
    if (outdated) throw new MigrationRefused(outdatedDatabase);
    await inTransaction("The table of migrations", () => client.query(migrationsTable));
    const names = new Map((await readJournal(folder)).map(({ when, tag }) => [when, tag]));
    for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
      const name = names.get(migration.folderMillis) ?? "";
      if (!pending.includes(name)) continue;
      const progress = (line: string) => report?.(`${name} ${line}`);
      if (await inTransaction(name, () => apply(client, ownerUrl, migration, progress))) progress("is done.");
    }
    await inTransaction("The months of the audit", () =>
      client.query("select create_audit_months($1)", [auditMonths]),
    );
    await inTransaction("The reads of operators", () => grantOperators(client, serviceRole));
    while (await inTransaction("The access of backups", () => grantBackup(client)));
    if (await inTransaction("The numbers of the audit", () => continueAudit(client)))
      report?.("The audit continues after the transactions of the server that the dump came from.");
    if (grantTo !== undefined) await grantService(client, grantTo);
  });
}

/** Drizzle's table. drizzle-kit generates the migrations, and its runner runs all of them in one transaction. */
const migrationsTable = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint
  )`;

/**
 * Runs a migration unless another instance has run it. The transaction of `client`, which has the lock, records it: a
 * migration that loses the lock runs again.
 */
async function apply(
  client: Client,
  ownerUrl: string,
  { sql, hash, folderMillis }: MigrationMeta,
  progress: (line: string) => void,
): Promise<boolean> {
  // Without parameters: CREATE INDEX CONCURRENTLY would wait for the snapshot that their portal keeps.
  const done = await client.query(
    `select from drizzle.__drizzle_migrations where created_at = ${folderMillis}`,
  );
  if (done.rowCount !== 0) return false;
  if (sql[0]?.startsWith(outsideTransaction)) {
    await withConnection(ownerUrl, (other) => runEach(other, sql, progress));
  } else {
    for (const statement of sql) await client.query(statement);
  }
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
    hash,
    folderMillis,
  ]);
  return true;
}

async function runEach(client: Client, sql: string[], progress: (line: string) => void): Promise<void> {
  for (const [index, statement] of sql.entries()) {
    progress(`runs statement ${index + 1} of ${sql.length}.`);
    await client.query(statement);
  }
}

/** The names of the migrations that the database has not run, in order. The service's role may call it. */
export async function pendingMigrations(url: string): Promise<string[]> {
  return (await withConnection(url, (client) => migrationStatus(client))).pendingMigrations;
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
