import type { Client } from "pg";
import { beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { migrate } from "../src/database.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { makeMigrationsFolder } from "./support/migrations-folder.ts";

let urls: TestDatabase;

const asOwner = async (statement: string, values: unknown[] = []) =>
  (await withConnection(urls.ownerUrl, (client) => client.query(statement, values))).rows;

beforeEach(async () => {
  urls = await createTestDatabase(inject("server"));
  onTestFinished(() => urls.drop());
  await asOwner("create table items (id integer primary key, size integer)");
  await asOwner("insert into items (id) select generate_series(1, 2500)");
});

const index = [
  "-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS items_size;",
  "CREATE INDEX CONCURRENTLY items_size ON items (size);",
];

/** A migration of these statements: `run` runs it, and `lines` are what it reports. */
async function migrationOf(statements: readonly string[]) {
  const folder = await makeMigrationsFolder("0099_online", statements);
  const lines: string[] = [];
  return { lines, run: () => migrate(urls.ownerUrl, { folder, report: (line) => lines.push(line) }) };
}

/**
 * Starts `run` while a transaction has written to `items`, and commits it after `use`: CREATE INDEX CONCURRENTLY waits
 * for it. Returns the outcome of `run`.
 */
async function whileWriting(run: () => Promise<void>, use: (writer: Client) => Promise<unknown>) {
  const outcome = await withConnection(urls.adminUrl, async (writer) => {
    await writer.query("begin");
    await writer.query("update items set size = 7 where id = 2500");
    const outcome = Promise.allSettled([run()]);
    await use(writer);
    await writer.query("commit");
    return outcome;
  });
  return outcome[0];
}
const done = { status: "fulfilled" };
const waits = "0099_online waits for a transaction that uses its table (attempt 1 of 60).";

/** The server's processes in this state whose last statement contains `text`. */
const processes = async (text: string, state: string) => {
  const rows = await asOwner(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and strpos(query, $1) > 0 and $2 in (state, wait_event_type)`,
    [text, state],
  );
  return rows.map(({ pid }) => pid);
};
const waitingIndexes = () => processes("CREATE INDEX CONCURRENTLY", "Lock");
const waitingMigrations = () => processes("pg_try_advisory_xact_lock", "idle in transaction");

async function terminate(pids: readonly number[]): Promise<void> {
  expect(pids).toHaveLength(1);
  await withConnection(urls.adminUrl, (client) => client.query("select pg_terminate_backend($1)", [pids[0]]));
}

const indexes = () =>
  asOwner("select indisvalid as valid from pg_index where indexrelid = to_regclass('items_size')");

/** The number of migrations that the database has run. */
const recorded = async () => {
  const [row] = await asOwner("select count(*)::int as count from drizzle.__drizzle_migrations");
  return row.count;
};

test("an index is created while transactions write, and no write waits for it", async () => {
  const { run, lines } = await migrationOf(index);
  const outcome = await whileWriting(run, async () => {
    await expect.poll(waitingIndexes).toHaveLength(1);
    await withConnection(urls.adminUrl, async (other) => {
      await other.query("set lock_timeout = '1ms'");
      await other.query("insert into items (id) values (-1)");
    });
  });
  expect(outcome).toMatchObject(done);
  expect(await indexes()).toEqual([{ valid: true }]);
  expect(lines).toEqual([
    "0099_online runs statement 1 of 2.",
    "0099_online runs statement 2 of 2.",
    "0099_online is done.",
  ]);
});

test.each([
  {
    name: "whose index was interrupted",
    interrupt: async () => terminate(await waitingIndexes()),
    left: [{ valid: false }],
  },
  {
    name: "that lost its lock",
    interrupt: async () => terminate(await processes("__drizzle_migrations", "idle in transaction")),
    left: [{ valid: true }],
  },
])("a migration $name is not recorded, and runs again", async ({ interrupt, left }) => {
  const before = await recorded();
  const { run } = await migrationOf(index);
  const outcome = await whileWriting(run, async () => {
    await expect.poll(waitingIndexes).toHaveLength(1);
    await interrupt();
  });
  expect(outcome.status).toBe("rejected");
  expect(await indexes()).toEqual(left);
  expect(await recorded()).toBe(before);
  await run();
  expect(await indexes()).toEqual([{ valid: true }]);
  expect(await recorded()).toBe(before + 1);
});

test("a migration that waits for another one does not delay it", async () => {
  const before = await recorded();
  const { run } = await migrationOf(index);
  let second: Promise<void> | undefined;
  const first = await whileWriting(run, async () => {
    await expect.poll(waitingIndexes).toHaveLength(1);
    second = run();
    await expect.poll(waitingMigrations).toHaveLength(1);
  });
  await second;
  expect(first).toMatchObject(done);
  expect(await indexes()).toEqual([{ valid: true }]);
  expect(await recorded()).toBe(before + 1);
});

/** Sets a parameter of the server for new connections. */
const configure = (setting: string) =>
  withConnection(urls.adminUrl, (client) =>
    client.query(`alter database ${new URL(urls.adminUrl).pathname.slice(1)} set ${setting}`),
  );

test("an index that waits longer than the server allows is created again", async () => {
  await configure("lock_timeout = '50ms'");
  const { run, lines } = await migrationOf(index);
  const outcome = await whileWriting(run, () => expect.poll(() => lines).toContain(waits));
  expect(outcome).toMatchObject(done);
  expect(await indexes()).toEqual([{ valid: true }]);
});

test("the lock outlives the server's limit of idle transactions", async () => {
  await configure("idle_in_transaction_session_timeout = '10ms'");
  const { run } = await migrationOf(["-- outside a transaction\nSELECT pg_sleep(0.2);"]);
  await run();
});

const backfill = `-- outside a transaction
DO $$
BEGIN
  LOOP
    PERFORM set_config('lock_timeout', '50ms', true), set_config('cardbridge.task', 'fill', true);
    UPDATE items SET size = 1 WHERE id IN (SELECT id FROM items WHERE size IS NULL ORDER BY id LIMIT 1000);
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;`;

test("a backfill commits its batches, and continues after a row that a transaction uses", async () => {
  await asOwner("alter table items enable row level security");
  await asOwner("alter table items force row level security");
  await asOwner(
    "create policy owner_fill on items to current_user using (current_setting('cardbridge.task', true) = 'fill')",
  );
  const { run, lines } = await migrationOf([backfill]);
  const outcome = await whileWriting(run, async (writer) => {
    await expect.poll(() => lines).toContain(waits);
    const { rows } = await writer.query("select count(size)::int as filled from items where id < 2500");
    expect(rows).toEqual([{ filled: 2000 }]);
  });
  expect(outcome).toMatchObject(done);
  const { rows } = await withConnection(urls.adminUrl, (client) =>
    client.query("select size, count(*)::int from items group by size order by size"),
  );
  expect(rows).toEqual([
    { size: 1, count: 2499 },
    { size: 7, count: 1 },
  ]);
});
