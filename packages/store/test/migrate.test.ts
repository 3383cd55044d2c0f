import { readdir } from "node:fs/promises";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { migrate, openDatabase, pendingMigrations } from "../src/index.ts";
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

test("health names what is pending", async () => {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {} });
  expect(await database.health()).toEqual({ reachable: true, pendingMigrations: names });
  await database.close();
});
