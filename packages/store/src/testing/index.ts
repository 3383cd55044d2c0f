import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withConnection } from "../connect.ts";
import { bootstrap } from "../embedded/bootstrap.ts";
import { type Role, urlOf } from "../embedded/credentials.ts";
import { startServer } from "../embedded/server.ts";
import { migrate } from "../migrate.ts";

export { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";

/** How to reach the test server; plain data, to be handed to workers with vitest's provide and inject. */
export interface TestServer {
  /** Per role, the address without a database's name. */
  urls: Record<Role, string>;
}

export interface TestDatabase {
  ownerUrl: string;
  serviceUrl: string;
  /** A superuser's, for what no role of ours may do. */
  adminUrl: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

const template = "cardbridge_template";

/** Starts one server for a whole test run, with a migrated template database. Its folder goes when it stops. */
export async function startTestServer(): Promise<{ info: TestServer; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-test-"));
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
    await bootstrap(server.admin, credentials, template);
    await migrate(addressOf(info, "cardbridge_owner", template), { grantTo: "cardbridge_app" });
    return { info, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes a migrated database, without rows; `empty` makes one that is not migrated. Takes some 50 ms. */
export async function createTestDatabase(
  server: TestServer,
  options: { empty?: boolean } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const adminUrl = addressOf(server, "postgres", "postgres");
  const source = options.empty ? "template0" : template;
  const asAdmin = (statement: string) => withConnection(adminUrl, (client) => client.query(statement));
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
