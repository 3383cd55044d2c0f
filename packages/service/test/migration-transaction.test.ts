import type { Client } from "pg";
import { expect, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import {
  type MigrationTransactionOptions,
  migrationTransaction,
} from "../src/database/migration-transaction.ts";
import { makeWorld } from "./support/world.ts";

const { urls } = await makeWorld();
await withConnection(urls.adminUrl, (client) => client.query("create table items (id integer)"));

/** Two connections: of a migration, and of another transaction. */
const together = <T>(use: (migration: Client, other: Client) => Promise<T>) =>
  withConnection(urls.adminUrl, (one) => withConnection(urls.adminUrl, (two) => use(one, two)));

const addColumn = (client: Client, name: string, options: MigrationTransactionOptions = {}) =>
  migrationTransaction(client, name, () => client.query(`alter table items add column ${name} text`), {
    tableLock: "20ms",
    pauseMs: 0,
    ...options,
  });

test("a migration lets the calls behind it pass while a transaction reads its table, and then succeeds", async () => {
  await together(async (migration, reader) => {
    await reader.query("begin");
    await reader.query("select from items");
    const waits: string[] = [];
    await addColumn(migration, "late", {
      report(line) {
        waits.push(line);
        if (waits.length === 2) void reader.query("commit");
      },
    });
    expect(waits.slice(0, 2)).toEqual([
      "late waits for a transaction that uses its table (attempt 1 of 60).",
      "late waits for a transaction that uses its table (attempt 2 of 60).",
    ]);
    expect((await reader.query("select late from items")).rows).toEqual([]);
  });
});

test("a migration that ends a deadlock with a transaction of several tables is repeated, and then succeeds", async () => {
  await together(async (migration, other) => {
    await migration.query("create table more_items (id integer); set deadlock_timeout = '10ms'");
    await other.query("set deadlock_timeout = '1min'; begin; insert into more_items values (1)");
    const waits: string[] = [];
    let reads: Promise<unknown> | undefined;
    await migrationTransaction(
      migration,
      "both",
      async () => {
        await migration.query("alter table items add column one text");
        reads ??= other.query("select from items");
        await migration.query("alter table more_items add column one text");
      },
      {
        tableLock: "1min",
        pauseMs: 0,
        report(line) {
          waits.push(line);
          void other.query("commit");
        },
      },
    );
    await reads;
    expect(waits).toEqual(["both waits for a transaction that uses its table (attempt 1 of 60)."]);
  });
});

test("a migration names the process of another migration that does not end", async () => {
  await together(async (migration, other) => {
    const { rows } = await other.query("select pg_backend_pid() as pid");
    await migrationTransaction(other, "first", async () => {
      const waits: string[] = [];
      const report = (line: string) => void waits.push(line);
      const refused = addColumn(migration, "second", { otherMigrationMs: 20, report });
      await expect(refused).rejects.toMatchObject({
        name: "MigrationRefused",
        message: `Another migration runs in the server's process ${rows[0].pid}. Wait until it ends, and start this one again.`,
      });
      expect(waits).toEqual(["second waits for another migration."]);
    });
    await addColumn(migration, "second");
  });
});

test("a migration that fails leaves nothing, and frees the lock", async () => {
  await together(async (migration, other) => {
    await expect(
      migrationTransaction(migration, "broken", async () => {
        await migration.query("alter table items add column half text");
        throw new Error("It fails.");
      }),
    ).rejects.toThrow("It fails.");
    await expect(migration.query("select half from items")).rejects.toThrow("half");
    await addColumn(other, "next");
  });
});
