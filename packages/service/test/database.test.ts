import { Failure, reasonOf } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { platforms } from "../src/database/schema.ts";
import { kycRecordsRepository, pipelineCommit } from "../src/database.ts";
import { startDatabaseProxy } from "../src/testing/database-proxy.ts";
import { openDatabase } from "./support/open-database.ts";
import { aRequest, keys, makeWorld } from "./support/world.ts";

const { admin, count, database, kyc, platform, urls } = await makeWorld({ maxConnections: 2 });
const proxy = await startDatabaseProxy(urls.serviceUrl);
const proxied = openDatabase({ url: proxy.url, onError: () => {} });
afterAll(async () => {
  await proxied.close();
  await proxy.close();
});

const unavailable = { code: "SERVICE_UNAVAILABLE", details: { retryAfterSeconds: 5 } };
const terminate = () =>
  admin(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'cardbridge_app' and datname = current_database()",
  );

test("the pool reports the connections in use and the work that waits for a connection", async () => {
  const pool = openDatabase({ url: urls.serviceUrl, maxConnections: 1, onError: () => {} });
  expect(pool.connections()).toEqual({ inUse: 0, idle: 0, waiting: 0 });
  const asked = pool.withoutPlatform(async (tx) => {
    const next = pool.withoutPlatform((other) => other.execute(sql`select 1`));
    await tx.execute(sql`select 1`);
    return { during: pool.connections(), next };
  });
  expect((await asked).during).toEqual({ inUse: 1, idle: 0, waiting: 1 });
  await (await asked).next;
  expect(pool.connections()).toEqual({ inUse: 0, idle: 1, waiting: 0 });
  await pool.close();
});

describe("a call fails with SERVICE_UNAVAILABLE", () => {
  test("when no server listens", async () => {
    const url = new URL(urls.serviceUrl);
    url.port = "1";
    const gone = openDatabase({ url: url.href, onError: () => {} });
    await expect(
      kycRecordsRepository(gone, { keys }).createOrReplay("plt", aRequest()),
    ).rejects.toMatchObject(unavailable);
    expect(await gone.health()).toEqual({ reachable: false, reason: "ECONNREFUSED", pendingMigrations: [] });
    await expect(gone.checkConnection()).rejects.toMatchObject(unavailable);
    await gone.close();
  });

  test("when the disk is full for a statement, also if the failure of a later one is seen first", async () => {
    const failed = database.asPlatform(await platform(), (tx) => {
      const full = sql`do $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$`;
      tx.execute(full).catch(() => {});
      return tx.execute(sql`select 1`);
    });
    await expect(failed).rejects.toMatchObject({ ...unavailable, cause: { code: "53100" } });
  });

  test("when the server is read-only, and the next call has a new connection", async () => {
    const platformId = await platform();
    const demoted = openDatabase({ url: urls.serviceUrl, maxConnections: 1, onError: () => {} });
    await demoted.withoutPlatform((tx) => tx.execute(sql`set default_transaction_read_only = on`));
    const write = () =>
      demoted.asPlatform(platformId, (tx) =>
        tx.execute(sql`update platforms set name = name where id = ${platformId}`),
      );
    await expect(write()).rejects.toMatchObject({ ...unavailable, cause: { code: "25006" } });
    expect(await write()).toMatchObject({ rowCount: 1 });
    await demoted.close();
  });

  test("when the connection ends in a transaction, and succeeds again afterwards", async () => {
    const platformId = await platform();
    const ended = database.asPlatform(platformId, async (tx) => {
      await tx.execute(sql`select 1`);
      await terminate();
      await tx.execute(sql`select 1`);
    });
    await expect(ended).rejects.toMatchObject(unavailable);
    expect((await kyc.createOrReplay(platformId, aRequest())).kind).toBe("new");
  });

  test("when the server has no free connection", async () => {
    const url = new URL(urls.serviceUrl);
    await admin(`alter database ${url.pathname.slice(1)} connection limit 0`);
    const full = openDatabase({ url: url.href, onError: () => {} });
    await expect(
      kycRecordsRepository(full, { keys }).createOrReplay("plt", aRequest()),
    ).rejects.toMatchObject(unavailable);
    await full.close();
    await admin(`alter database ${url.pathname.slice(1)} connection limit -1`);
  });

  test("when every connection stays in use, and the work under way ends", async () => {
    const busy = openDatabase({ url: urls.serviceUrl, maxConnections: 1, connectMs: 50, onError: () => {} });
    const refused = Promise.withResolvers<void>();
    const underWay = busy.withoutPlatform(() => refused.promise.then(() => "done"));
    await expect(busy.withoutPlatform((tx) => tx.execute(sql`select 1`))).rejects.toMatchObject(unavailable);
    refused.resolve();
    expect(await underWay).toBe("done");
    await busy.close();
  });

  test.each(["before", "after"] as const)(
    "only until the retry when the connection breaks %s the server receives the commit of a submission",
    async (when) => {
      const platformId = await platform();
      const request = aRequest();
      proxy.cutAt("commit", when);
      const result = await kycRecordsRepository(proxied, { keys }).createOrReplay(platformId, request);
      expect(result).toMatchObject({ kind: "new", record: { kycRecordId: request.kycRecordId, attempt: 1 } });
      expect(await count("kyc_records", platformId)).toBe(1);
    },
  );

  test("when the connection breaks before the first message", async () => {
    proxy.cutAt("begin", "before");
    await expect(
      kycRecordsRepository(proxied, { keys }).createOrReplay(await platform(), {
        ...aRequest(),
        idempotencyKey: "k",
      }),
    ).rejects.toMatchObject(unavailable);
  });
});

describe("the reason of an outage", () => {
  const reasonFrom = (work: Promise<unknown>) => work.then(() => "none", reasonOf);

  test("is the server's code when it ends the connection", async () => {
    const ended = database.withoutPlatform(async (tx) => {
      await terminate();
      await tx.execute(sql`select 1`);
    });
    expect(await reasonFrom(ended)).toMatch(/^(57P01|connection-lost|ECONNRESET|EPIPE)$/);
  });

  test("is connection-lost when the connection breaks without a code", async () => {
    proxy.cutAt("select 42", "before");
    const broken = proxied.withoutPlatform((tx) => tx.execute(sql`select 42`));
    expect(await reasonFrom(broken)).toBe("connection-lost");
  });

  test("is the reason of the lost connection when the commit's outcome is unknown", async () => {
    proxy.cutAt("commit", "after");
    const unknown = proxied.asPlatform(await platform(), (tx) => tx.execute(sql`select 1`));
    expect(await reasonFrom(unknown)).toBe("connection-lost");
  });

  test("is the reason of an idle connection that breaks", async () => {
    const reasons: string[] = [];
    const idle = openDatabase({ url: proxy.url, onError: (error) => reasons.push(reasonOf(error)) });
    await idle.withoutPlatform((tx) => tx.execute(sql`select 1`));
    proxy.down();
    await expect.poll(() => reasons).toEqual(["connection-lost"]);
    proxy.up();
    await idle.close();
  });

  test("is in the health of a database that closes every connection", async () => {
    proxy.down();
    expect(await proxied.health()).toMatchObject({ reachable: false, reason: "connection-lost" });
    proxy.up();
  });
});

describe("a transaction", () => {
  test("is rolled back when the work throws, and the error is unchanged", async () => {
    const platformId = await platform();
    const thrown = new Failure("USER_NOT_FOUND");
    const work = database.asPlatform(platformId, async (tx) => {
      await tx.execute(insertUser("usr_gone", platformId));
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await count("users", platformId)).toBe(0);
  });

  test("fails with the error of a statement that was sent with the commit", async () => {
    const platformId = await platform();
    const insert = insertUser("usr_half", platformId);
    const work = database.asPlatform(platformId, async (tx) =>
      pipelineCommit(
        [tx.execute(insert), tx.execute(sql`select 1 / 0`), tx.execute(sql`select 1`)],
        () => "done",
      ),
    );
    await expect(work).rejects.toMatchObject({ name: "SafeDatabaseError", code: "22012" });
    expect(await count("users", platformId)).toBe(0);
  });

  test("fails when the work caught a statement's error", async () => {
    const work = database.asPlatform(await platform(), async (tx) => {
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await expect(work).rejects.toThrow("rolled back");
  });

  test.each(["40001", "40P01"])("is retried after %s", async (state) => {
    let runs = 0;
    const result = await database.asPlatform(await platform(), async (tx) => {
      runs += 1;
      if (runs < 3) await tx.execute(raise(state));
      return "done";
    });
    expect({ result, runs }).toEqual({ result: "done", runs: 3 });
  });

  test("is retried after a serialization failure at its commit", async () => {
    await admin(`
      create sequence tries;
      grant usage on sequence tries to public;
      create function fail_twice() returns trigger language plpgsql as $$ begin
        if nextval('public.tries') < 3 then raise exception using errcode = '40001'; end if;
        return null;
      end $$;
      create constraint trigger fail_twice after insert on users deferrable initially deferred
        for each row execute function fail_twice()`);
    const platformId = await platform();
    expect((await kyc.createOrReplay(platformId, aRequest())).kind).toBe("new");
    expect(await count("users", platformId)).toBe(1);
    expect(await admin("select last_value::int as tries from tries")).toEqual([{ tries: 3 }]);
    await admin("drop trigger fail_twice on users");
  });

  test("fails after three retries", async () => {
    let runs = 0;
    const work = database.asPlatform(await platform(), async (tx) => {
      runs += 1;
      await tx.execute(raise("40001"));
    });
    await expect(work).rejects.toMatchObject(unavailable);
    expect(runs).toBe(4);
  });
});

test("an error of the database contains no row values", async () => {
  const id = await platform();
  const secret = "Ada Lovelace";
  const work = database.asPlatform(id, async (tx) => {
    await tx.insert(platforms).values({ id, name: secret });
  });
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "SafeDatabaseError", code: "23505" });
  const { message, stack, cause } = error as Error;
  expect(JSON.stringify([message, stack, cause, error])).not.toContain(secret);
});

const insertUser = (id: string, platformId: string) =>
  sql`insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version)
    values (${id}, ${platformId}, 'm', 'e', '', '', 1)`;

const raise = (state: string) =>
  sql.raw(`do $$ begin raise exception 'again' using errcode = '${state}'; end $$`);
