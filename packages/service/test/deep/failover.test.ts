import { appendFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Failure, reasonOf } from "@cardbridge/domain";
import { bootstrap, type Server, startServer, urlOf } from "@cardbridge/postgres";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Database,
  kycRecordsRepository,
  migrate,
  openDatabase,
  putPlatform,
  setTimeLimits,
} from "../../src/database.ts";
import { aRequest, keys } from "../support/world.ts";

let folder: string;
const closers: (() => Promise<unknown>)[] = [];

const urlFor = ({ port, credentials }: Server, role: "cardbridge_owner" | "cardbridge_app") =>
  urlOf(port, credentials, role, "cardbridge");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-failover-"));
  closers.push(() => rm(folder, { recursive: true }));
  const server = await startServer({ folder: join(folder, "primary"), durable: true });
  await bootstrap(server.admin, server.credentials, "cardbridge");
  await migrate(urlFor(server, "cardbridge_owner"), { grantTo: "cardbridge_app" });
  await setTimeLimits(urlFor(server, "cardbridge_app"));
  await putPlatform(urlFor(server, "cardbridge_owner"), { id: "plt", name: "A platform" });
  await server.stop();
  await copyAs("standby", "standby.signal");
  await copyAs("successor", "recovery.signal");
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function start(name: string): Promise<Server> {
  const server = await startServer({ folder: join(folder, name), durable: true });
  closers.push(server.stop);
  const question = "select pg_is_in_recovery() as standby";
  if (name !== "standby")
    await expect.poll(async () => (await server.admin.query(question)).rows).toEqual([{ standby: false }]);
  return server;
}

/** Copies the stopped primary. The file `signal` makes the copy a standby, or lets it take over. */
async function copyAs(name: string, signal: "standby.signal" | "recovery.signal"): Promise<void> {
  const data = join(folder, name, "postgres");
  await cp(join(folder, "primary"), join(folder, name), { recursive: true });
  await writeFile(join(data, signal), "");
  await appendFile(join(data, "postgresql.auto.conf"), "restore_command = 'false'\n");
}

function connect(server: Server): Database {
  const database = openDatabase({ url: urlFor(server, "cardbridge_app"), onError: () => {} });
  closers.push(database.close);
  return database;
}

const submit = (database: Database) =>
  kycRecordsRepository(database, { keys }).createOrReplay("plt", aRequest());
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: Failure) => `${error.code}: ${reasonOf(error)}`,
  );

test("a standby accepts no call", async () => {
  const standby = connect(await start("standby"));
  expect(await failureOf(submit(standby))).toBe("SERVICE_UNAVAILABLE: server-in-recovery");
  expect(await standby.health()).toMatchObject({ reachable: false, reason: "server-in-recovery" });
});

test("a server that another one replaced acknowledges nothing, on existing and on new connections", async () => {
  const successor = connect(await start("successor"));
  const replaced = connect(await start("primary"));
  expect(await submit(replaced)).toMatchObject({ kind: "new" });
  const duringTheFailover = replaced.asPlatform("plt", async (tx) => {
    await tx.execute(sql`select 1`);
    await submit(successor);
  });
  expect(await failureOf(duringTheFailover)).toBe("SERVICE_UNAVAILABLE: server-replaced");
  expect(await failureOf(submit(replaced))).toBe("SERVICE_UNAVAILABLE: server-replaced");
  expect(await submit(successor)).toMatchObject({ kind: "replay" });
});
