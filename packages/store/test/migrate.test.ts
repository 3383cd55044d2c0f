import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { MigrationRefused, migrate, openDatabase, pendingMigrations } from "../src/index.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";

let urls: TestDatabase;
const made: TestDatabase[] = [];

beforeEach(async () => {
  urls = await createTestDatabase(inject("server"), { empty: true });
  made.push(urls);
});
afterAll(() => Promise.all(made.map(({ drop }) => drop())));

const folder = new URL("../src/migrations/", import.meta.url);
const names = (await readdir(folder))
  .filter((name) => name.endsWith(".sql"))
  .map((name) => name.slice(0, -4))
  .sort();

test("a fresh database has every migration pending, and none after migrating", async () => {
  expect(await pendingMigrations(urls.serviceUrl)).toEqual(names);
  await migrate(urls.ownerUrl);
  expect(await pendingMigrations(urls.ownerUrl)).toEqual([]);
  expect(await pendingMigrations(urls.serviceUrl)).toEqual([]);
});

test("migrating again changes nothing", async () => {
  await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" });
  await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" });
  const { rows } = await withConnection(urls.ownerUrl, (client) =>
    client.query("select count(*)::int as count from drizzle.__drizzle_migrations"),
  );
  expect(rows).toEqual([{ count: names.length }]);
});

test("four instances that start together migrate once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(urls.ownerUrl, { grantTo: "cardbridge_app" })));
  expect(await pendingMigrations(urls.serviceUrl)).toEqual([]);
});

test("several databases of one server migrate at the same time", async () => {
  const others = await Promise.all(
    Array.from({ length: 3 }, () => createTestDatabase(inject("server"), { empty: true })),
  );
  made.push(...others);
  await Promise.all(others.map(({ ownerUrl }) => migrate(ownerUrl, { grantTo: "cardbridge_app" })));
  for (const { serviceUrl } of others) expect(await pendingMigrations(serviceUrl)).toEqual([]);
});

test("the login role that is granted the service may have any name", async () => {
  const role = `odd "name" ${Date.now()}`;
  const quoted = `"${role.replaceAll('"', '""')}"`;
  await withConnection(urls.adminUrl, (client) => client.query(`create role ${quoted} login`));
  await migrate(urls.ownerUrl, { grantTo: role });
  const { rows } = await withConnection(urls.adminUrl, (client) =>
    client.query("select pg_has_role($1, 'cardbridge_service', 'member') as member", [role]),
  );
  expect(rows).toEqual([{ member: true }]);
  await withConnection(urls.adminUrl, (client) => client.query(`drop role ${quoted}`));
});

test("users from before personal data was sealed stop the migration, which says so and changes nothing", async () => {
  const before = await migrationsBefore("0014_unsealed_rows");
  await withConnection(urls.ownerUrl, (client) =>
    runMigrations(drizzle(client), { migrationsFolder: before }),
  );
  const rows = () =>
    withConnection(urls.adminUrl, async (client) => (await client.query("select * from users")).rows);
  await withConnection(urls.adminUrl, (client) =>
    client.query(`insert into platforms (id, name) values ('plt', 'A platform');
      insert into users (id, platform_id, member_id, email, email_normalized) values ('usr', 'plt', 'm', 'E', 'e')`),
  );
  const kept = await rows();
  const error = await migrate(urls.ownerUrl).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MigrationRefused);
  expect(error).toMatchObject({ message: expect.stringContaining("from before personal data was sealed") });
  expect(await rows()).toEqual(kept);
  expect((await pendingMigrations(urls.ownerUrl))[0]).toBe("0014_unsealed_rows");

  await withConnection(urls.adminUrl, (client) => client.query("delete from users"));
  await migrate(urls.ownerUrl);
  expect(await pendingMigrations(urls.ownerUrl)).toEqual([]);
});

/** A copy of the migrations as they were before one of them. */
async function migrationsBefore(tag: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "cardbridge-migrations-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await cp(folder, copy, { recursive: true });
  const journal = JSON.parse(await readFile(join(copy, "meta/_journal.json"), "utf8"));
  const end = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag);
  const entries = journal.entries.slice(0, end);
  await writeFile(join(copy, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  return copy;
}

test("health names what is pending", async () => {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {} });
  expect(await database.health()).toEqual({ reachable: true, pendingMigrations: names });
  await database.close();
});
