import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap, type Credentials, type Role, startServer, urlOf } from "@cardbridge/postgres";
import { withConnection } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { setTimeLimits } from "../database/time-limits.ts";

export { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";
export { type OpenedUser, openUsers, type UserRow } from "./open-users.ts";
export { type PgBouncer, startPgBouncer } from "./pgbouncer.ts";

/** How to connect to the test server, as plain data that vitest's provide and inject can pass to workers. */
export interface TestServer {
  /** The URL of each role, without a database. */
  urls: Record<Role, string>;
  /** False behind a pooler that keeps no prepared statements. */
  preparedStatements?: false;
}

export interface TestDatabase {
  ownerUrl: string;
  serviceUrl: string;
  /** Connects as a superuser, for statements that no role of the service may execute. */
  adminUrl: string;
  /** Ends every connection to the database and drops it. */
  drop(): Promise<void>;
}

const template = "cardbridge_template";

/**
 * Starts one server for a whole test run, with a migrated template database. `stop` removes its data, which is stored
 * under `within`. In memory, a new database takes a tenth of the time: it consists of a thousand small files.
 */
export async function startTestServer(
  within: string = tmpdir(),
): Promise<{ info: TestServer; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(within, "cardbridge-test-"));
  const server = await startServer({ folder, durable: false });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { port, credentials } = server;
    const url = (role: Role) => urlOf(port, credentials, role, "");
    const info = {
      urls: {
        postgres: url("postgres"),
        cardbridge_owner: url("cardbridge_owner"),
        cardbridge_app: url("cardbridge_app"),
      },
    };
    await prepareTestServer(info);
    return { info, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Creates the roles and the template database on a server.
 *
 * @param migrateTemplate migrates the template; by default, as this version does
 */
export async function prepareTestServer(
  server: TestServer,
  migrateTemplate: (urls: Pick<TestDatabase, "ownerUrl" | "serviceUrl">) => Promise<void> = migrateAsService,
): Promise<void> {
  const passwords = Object.entries(server.urls).map(([role, url]) => [role, new URL(url).password]);
  const credentials: Credentials = Object.fromEntries(passwords);
  await withConnection(addressOf(server, "postgres", "postgres"), (admin) =>
    bootstrap(admin, credentials, template),
  );
  await migrateTemplate({
    ownerUrl: addressOf(server, "cardbridge_owner", template),
    serviceUrl: addressOf(server, "cardbridge_app", template),
  });
}

async function migrateAsService({ ownerUrl, serviceUrl }: Pick<TestDatabase, "ownerUrl" | "serviceUrl">) {
  await migrate(ownerUrl, { grantTo: "cardbridge_app" });
  await setTimeLimits(serviceUrl);
}

/**
 * Creates a migrated database without rows. With `empty` the database is not migrated; with `copyOf` it is a copy of a
 * database that has no connections. Takes about 50 ms.
 */
export async function createTestDatabase(
  server: TestServer,
  options: { empty?: boolean; copyOf?: TestDatabase | undefined } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const adminUrl = addressOf(server, "postgres", "postgres");
  const copied = options.copyOf && new URL(options.copyOf.adminUrl).pathname.slice(1);
  const source = copied ?? (options.empty ? "template0" : template);
  const asAdmin = (statement: string) => withConnection(adminUrl, (client) => client.query(statement));
  // A pooler keeps connections after its clients have closed theirs.
  if (copied && server.preparedStatements === false)
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${copied}'`);
  await asAdmin(`create database ${name} template ${source} owner cardbridge_owner`);
  return {
    ownerUrl: addressOf(server, "cardbridge_owner", name),
    serviceUrl: addressOf(server, "cardbridge_app", name),
    adminUrl: addressOf(server, "postgres", name),
    drop: async () => {
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

function addressOf(server: TestServer, role: Role, database: string): string {
  const url = new URL(server.urls[role]);
  url.pathname = `/${database}`;
  return url.href;
}
