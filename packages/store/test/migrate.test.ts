import { readdir } from "node:fs/promises";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import {
  MigrationRefused,
  migrate,
  openDatabase,
  outdatedDatabase,
  pendingMigrations,
} from "../src/index.ts";
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

/** What drizzle stored of the first migrations of a version before 0.1.0. */
const beforeRelease = `
  create schema drizzle;
  create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  insert into drizzle.__drizzle_migrations (hash, created_at) values
    ('7be8b6e9bd9ac74ab1edcd8d3b1e5a8e3d0d6a4bd8b9a8b5c5c0e8a41b1c0d3f', 1795227296682),
    ('2f1d3c9b6a5e4d7c8b0a1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c2b3a', 1795227298061);
  create table users (id text primary key);`;

test("a database of a version before 0.1.0 is refused and stays as it is", async () => {
  const owner = <T extends object>(text: string) =>
    withConnection(urls.ownerUrl, async (client) => (await client.query<T>(text)).rows);
  await owner(beforeRelease);
  const error = await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MigrationRefused);
  expect(error).toMatchObject({ message: outdatedDatabase });
  expect(outdatedDatabase).toContain("Create a new, empty database.");
  expect(await owner("select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([
    { relname: "users" },
    { relname: "users_pkey" },
  ]);
});

test("health tells that the database is of a version before 0.1.0", async () => {
  await withConnection(urls.ownerUrl, (client) =>
    client.query(`${beforeRelease} grant usage on schema drizzle to cardbridge_app;
      grant select on drizzle.__drizzle_migrations to cardbridge_app;`),
  );
  expect(await health()).toEqual({ reachable: true, pendingMigrations: names, outdated: true });
});

test("a database that a later version has migrated is served and migrated", async () => {
  await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" });
  await withConnection(urls.ownerUrl, (client) =>
    client.query(
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)",
    ),
  );
  await migrate(urls.ownerUrl);
  expect(await health()).toEqual({ reachable: true, pendingMigrations: [] });
});

test("health names the pending migrations", async () => {
  expect(await health()).toEqual({ reachable: true, pendingMigrations: names });
});

async function health() {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {} });
  try {
    return await database.health();
  } finally {
    await database.close();
  }
}
