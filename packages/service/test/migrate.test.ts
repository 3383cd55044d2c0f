import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { MigrationRefused, migrate, outdatedDatabase, pendingMigrations } from "../src/database.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { openDatabase } from "./support/open-database.ts";

let urls: TestDatabase;
const made: TestDatabase[] = [];

beforeEach(async () => {
  urls = await createTestDatabase(inject("server"), { empty: true });
  made.push(urls);
});
afterAll(() => Promise.all(made.map(({ drop }) => drop())));

const folder = new URL("../src/database/migrations/", import.meta.url);
const journal = JSON.parse(await readFile(new URL("meta/_journal.json", folder), "utf8"));
const names = (await readdir(folder))
  .filter((name) => name.endsWith(".sql"))
  .map((name) => name.slice(0, -4))
  .sort();

test("all migrations are pending in a new database, and none after migrating", async () => {
  expect(await pendingMigrations(urls.serviceUrl)).toEqual(names);
  expect(await health()).toEqual({ reachable: true, pendingMigrations: names });
  await migrate(urls.ownerUrl);
  expect(await pendingMigrations(urls.ownerUrl)).toEqual([]);
  expect(await pendingMigrations(urls.serviceUrl)).toEqual([]);
});

test("each migration has a transaction of its own, and a line; migrating again changes nothing", async () => {
  const lines: string[] = [];
  const options = { grantTo: "cardbridge_app", report: (line: string) => lines.push(line) };
  for (let run = 0; run < 2; run += 1) await migrate(urls.ownerUrl, options);
  expect(lines.filter((line) => line.endsWith("is done."))).toEqual(names.map((name) => `${name} is done.`));
  const { rows } = await withConnection(urls.ownerUrl, (client) =>
    client.query(
      "select count(*)::int as count, count(distinct xmin::text)::int as own from drizzle.__drizzle_migrations",
    ),
  );
  expect(rows).toEqual([{ count: names.length, own: names.length }]);
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

const of010 = [
  ...[1795329969643, 1795329972326, 1795329975126, 1795329977291, 1795329978985, 1795329981144],
  ...[1795329983150, 1795329985043, 1795329987859],
];
const behind010 = [
  ...[1795339047118, 1795342800000, 1795342860000, 1795342920000, 1795342980000, 1795350600000],
  ...[1795350660000, 1795360200000, 1795360260000, 1795360440000, 1795367499471, 1795392313612],
  1795394188455,
];

const of020: number[] = journal.entries.slice(0, 11).map(({ when }: { when: number }) => when);

/** The times of the migrations that these databases have run; drizzle identifies migrations by time. */
const older: [string, number[]][] = [
  ["a version before 0.1.0", [1795227296682, 1795227298061]],
  ["version 0.1.0", of010],
  ["a state between 0.1.0 and 0.2.0", [...of010, ...behind010.slice(0, 5)]],
  ["the last state before the first migration of 0.2.0", [...of010, ...behind010]],
  ["an unreleased state after 0.2.0", [...of020, 1795446060000, 1795455001000]],
];

/** Creates the rows that drizzle stored for these migrations, and a table. */
const ran = (times: number[]) => `
  create schema drizzle;
  create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  insert into drizzle.__drizzle_migrations (hash, created_at) values ${times.map((time) => `('of ${time}', ${time})`)};
  create table users (id text primary key);`;

test.each(older)("a database of %s is rejected and not changed, and health reports it", async (_, times) => {
  const owner = async (text: string) =>
    (await withConnection(urls.ownerUrl, (client) => client.query(text))).rows;
  await owner(`${ran(times)} grant usage on schema drizzle to cardbridge_app;
    grant select on drizzle.__drizzle_migrations to cardbridge_app;`);
  const error = await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MigrationRefused);
  expect(error).toMatchObject({ message: outdatedDatabase });
  expect(await owner("select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([
    { relname: "users" },
    { relname: "users_pkey" },
  ]);
  const pending = journal.entries.filter(({ when }: { when: number }) => !times.includes(when));
  const pendingMigrations = pending.map(({ tag }: { tag: string }) => tag);
  expect(await health()).toEqual({ reachable: true, pendingMigrations, outdated: true });
});

test("a database that a later version has migrated is accepted", async () => {
  await migrate(urls.ownerUrl, { grantTo: "cardbridge_app" });
  await withConnection(urls.ownerUrl, (client) =>
    client.query(
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)",
    ),
  );
  await migrate(urls.ownerUrl);
  expect(await health()).toEqual({ reachable: true, pendingMigrations: [] });
});

async function health() {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {} });
  try {
    return await database.health();
  } finally {
    await database.close();
  }
}
