import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@cardbridge/postgres";
import { openDatabase } from "@cardbridge/service/database";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { checkDatabase } from "../../src/boot/checks.ts";
import { accessDatabase } from "../../src/boot/database.ts";
import { readEnv } from "../../src/config/env.ts";

/** Drizzle's row for a migration with this time. */
const ran = (time: number) => `
  create schema drizzle;
  create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  insert into drizzle.__drizzle_migrations (hash, created_at) values ('of before', ${time});
  grant usage on schema drizzle to public;
  grant select on drizzle.__drizzle_migrations to public;`;

const newestOf010 = 1795329987859;
const newestBefore020 = 1795394188455;

async function run(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

const ignore = () => {};

it("the start reports the folder of an embedded database of version 0.1.0", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "cardbridge-outdated-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = join(dataDir, "postgres");
  const server = await startEmbedded({ folder });
  await run(server.ownerUrl, ran(newestOf010));
  await server.stop();
  await expect(accessDatabase(readEnv({ DATA_DIR: dataDir }), ignore, ignore)).rejects.toMatchObject({
    name: "StartError",
    message: `A version before 0.2.0, or an unreleased one after it, created the database in ${folder}. Remove this folder and start again.`,
  });
});

it.each([
  ["version 0.1.0", newestOf010],
  ["the last state before the base of 0.2.0", newestBefore020],
])("the start rejects a configured database of %s", async (_, newest) => {
  const urls = await createTestDatabase(inject("postgres"), { empty: true });
  onTestFinished(urls.drop);
  await run(urls.ownerUrl, ran(newest));
  const sentence = "Create a new, empty database.";
  const env = readEnv({
    DATABASE_URL: urls.serviceUrl,
    MIGRATION_DATABASE_URL: urls.ownerUrl,
    FINGERPRINT_KEY: "0123456789abcdef0123456789abcdef",
    KEY_RING: `1:${"A".repeat(43)}=`,
  });
  await expect(accessDatabase(env, ignore, ignore)).rejects.toThrow(sentence);

  const database = openDatabase({ url: urls.serviceUrl, onError: ignore });
  onTestFinished(database.close);
  await expect(checkDatabase(database, "test")).rejects.toThrow(sentence);
});
