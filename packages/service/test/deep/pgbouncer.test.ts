import { reasonOf } from "@cardbridge/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import {
  type Database,
  kycRecordsRepository,
  migrate,
  openDatabase,
  putPlatform,
} from "../../src/database.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../../src/testing/pgbouncer.ts";
import { aRequest, keys } from "../support/world.ts";

const installed = hasPgBouncer();
const server = inject("server");

describe("PgBouncer in transaction mode with its defaults", () => {
  let pooler: PgBouncer;
  let urls: TestDatabase;
  const open: Database[] = [];

  beforeAll(async () => {
    if (!installed) return;
    pooler = await startPgBouncer(Object.values(server.urls));
    urls = await createTestDatabase(server, { empty: true });
    await migrate(pooler.through(urls.ownerUrl), { grantTo: "cardbridge_app" });
    await putPlatform(urls.ownerUrl, { id: "plt", name: "A platform" });
  });
  beforeEach((context) => {
    if (!installed) context.skip("not run: no pgbouncer on this machine");
  });
  afterAll(async () => {
    for (const database of open) await database.close();
    await pooler?.stop();
    await urls?.drop();
  });

  function connect(preparedStatements?: boolean): Database {
    const url = pooler.through(urls.serviceUrl);
    const database = openDatabase({ url, preparedStatements, connectMs: 60_000, onError: () => {} });
    open.push(database);
    return database;
  }

  /** Submits 200 times at once and returns the reasons of the failures. */
  async function submit(database: Database): Promise<string[]> {
    const kyc = kycRecordsRepository(database, { keys });
    const calls = Array.from({ length: 200 }, () =>
      kyc.createOrReplay("plt", aRequest()).then(() => "", reasonOf),
    );
    return (await Promise.all(calls)).filter((reason) => reason !== "");
  }

  test("serves a service without prepared statements", async () => {
    const database = connect(false);
    expect(await database.checkConnection()).toEqual([]);
    expect(await submit(database)).toEqual([]);
  });

  test("is reported to a service with prepared statements, whose submissions are refused as unavailable", async () => {
    const database = connect();
    expect(await database.checkConnection()).toEqual([
      expect.stringMatching(
        /^The pooler keeps no prepared statements \(42P05\)\. Set DATABASE_PREPARED_STATEMENTS=false/,
      ),
    ]);
    const reasons = await submit(database);
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => !["42P05", "26000"].includes(reason))).toEqual([]);
  });
});
