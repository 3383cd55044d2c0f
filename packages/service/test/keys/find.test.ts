import { createHash } from "node:crypto";
import { Failure } from "@cardbridge/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { type Database, findApiKey, putApiKey } from "../../src/database.ts";
import { makeWorld } from "../support/world.ts";

const { admin, database, platform, urls } = await makeWorld();
const find = findApiKey(database);
const platformId = await platform();

const hashOf = (key: string) => createHash("sha256").update(key).digest();
const aKey = (keyId: string) => ({
  platformId,
  keyId,
  name: "A key",
  prefix: "cbk_",
  hash: hashOf(keyId),
  scopes: ["cards:read", "kyc:write"] as const,
});

const put = (keyId: string, changes: { expiresAt?: Date } = {}) =>
  putApiKey(urls.ownerUrl, { ...aKey(keyId), ...changes });

test("a live key is found by its hash, with its platform and its known scopes", async () => {
  await put("live");
  const scopes = ["cards:read", "kyc:write"];
  expect(await find(hashOf("live"))).toEqual({ keyId: "live", platformId, scopes });
  expect(await find(hashOf("unknown"))).toBeNull();
  await put("old");
  await admin("update api_keys set scopes = '{cards:write,kyc:read}' where id = 'old'");
  expect(await find(hashOf("old"))).toMatchObject({ scopes: ["kyc:read"] });
});

test("a key is live until it expires or is revoked, even if it is stored again", async () => {
  await put("later", { expiresAt: new Date("2999-01-01") });
  expect(await find(hashOf("later"))).not.toBeNull();
  await put("later", { expiresAt: new Date("2001-01-01") });
  expect(await find(hashOf("later"))).toBeNull();
  await put("revoked");
  await admin("update api_keys set revoked_at = now() where id = 'revoked'");
  await put("revoked");
  expect(await find(hashOf("revoked"))).toBeNull();
});

test("a key is cached until it expires at most", async () => {
  const limits: number[] = [];
  const cached = findApiKey(database, {
    find: (_name, lookUp) => lookUp((seconds) => void limits.push(seconds)),
  });
  await put("lasting");
  await put("ending", { expiresAt: new Date("2999-01-01") });
  for (const keyId of ["lasting", "ending"]) expect(await cached(hashOf(keyId))).toMatchObject({ keyId });
  const left = (Date.parse("2999-01-01") - Date.now()) / 1_000;
  expect(limits).toEqual([expect.closeTo(left, -3)]);
});

describe("concurrent look-ups", () => {
  /** Counts statements and blocks them until `open` is called. */
  function counted() {
    let statements = 0;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const counting: Database = {
      ...database,
      async withoutPlatform(work) {
        statements += 1;
        await opened;
        return database.withoutPlatform(work);
      },
    };
    return { find: findApiKey(counting), statements: () => statements, open };
  }

  test("share statements of up to 500 keys, and each returns its own key", async () => {
    const { find, statements, open } = counted();
    await put("among");
    await put("also");
    const names = Array.from({ length: 2_000 }, (_, nth) => `unknown-${nth}`);
    const flood = Promise.all(names.map((name) => find(hashOf(name))));
    const known = Promise.all(["among", "also", "among"].map((name) => find(hashOf(name))));
    expect(statements()).toBe(1);
    open();
    expect((await known).map((key) => key?.keyId)).toEqual(["among", "also", "among"]);
    expect(new Set(await flood)).toEqual(new Set([null]));
    // One statement for the first key, and five for 1,999 unknown and two known keys.
    expect(statements()).toBe(6);
  });

  test("fail together if their statement fails, and later look-ups succeed", async () => {
    let failing = true;
    const flaky: Database = {
      ...database,
      withoutPlatform: (work) =>
        failing ? Promise.reject(new Failure("SERVICE_UNAVAILABLE")) : database.withoutPlatform(work),
    };
    const find = findApiKey(flaky);
    const finds = ["live", "a", "b"].map((name) => find(hashOf(name)));
    for (const found of await Promise.allSettled(finds)) {
      expect(found).toMatchObject({ status: "rejected", reason: { code: "SERVICE_UNAVAILABLE" } });
    }
    failing = false;
    expect(await find(hashOf("live"))).toMatchObject({ keyId: "live" });
  });
});

describe("the time of a key's last use", () => {
  const lastUse = async (id: string): Promise<Date | null> =>
    (await admin(`select last_used_at as at from api_keys where id = '${id}'`))[0].at;
  const writes = async () => Number((await admin("select last_value as n from writes"))[0].n) - 1;
  const rewind = (id: string, seconds: number) =>
    admin(
      `update api_keys set last_used_at = clock_timestamp() - interval '${seconds} s' where id = '${id}'`,
    );

  beforeAll(async () => {
    await admin("create sequence writes minvalue 0 start 1");
    await admin("select nextval('writes'); grant usage on sequence writes to public");
    await admin(`create function count_write() returns trigger language plpgsql as
      $$ begin if current_user <> 'postgres' then perform nextval('public.writes'); end if; return new; end $$`);
    await admin(
      "create trigger count_writes after update on api_keys for each row execute function count_write()",
    );
  });

  test("is written once a minute, in the statement of the look-up", async () => {
    await put("used");
    expect(await lastUse("used")).toBeNull();
    const before = await writes();
    let statements = 0;
    const counting: Database = {
      ...database,
      withoutPlatform: (work) =>
        database.withoutPlatform((tx) =>
          work({
            ...tx,
            execute: (query) => {
              statements += 1;
              return tx.execute(query);
            },
          }),
        ),
    };
    const counted = findApiKey(counting);
    for (let call = 0; call < 5; call += 1) expect(await counted(hashOf("used"))).not.toBeNull();
    expect(await lastUse("used")).toBeInstanceOf(Date);
    expect([statements, await writes()]).toEqual([5, before + 1]);

    await rewind("used", 50);
    await counted(hashOf("used"));
    expect(await writes()).toBe(before + 1);
    await rewind("used", 61);
    await counted(hashOf("used"));
    expect([statements, await writes()]).toEqual([7, before + 2]);
  });

  test("is written once by concurrent calls, and no call waits for another call's write", async () => {
    await put("busy");
    const before = await writes();
    await withConnection(urls.adminUrl, async (client) => {
      await client.query("begin; update api_keys set name = name where id = 'busy'");
      expect(await find(hashOf("busy"))).not.toBeNull();
      await client.query("rollback");
    });
    expect(await lastUse("busy")).toBeNull();
    const found = await Promise.all(Array.from({ length: 40 }, () => find(hashOf("busy"))));
    expect(found).not.toContain(null);
    expect(await writes()).toBe(before + 1);
  });

  test("is not written for an expired key", async () => {
    await put("dead", { expiresAt: new Date("2001-01-01") });
    expect(await find(hashOf("dead"))).toBeNull();
    expect(await lastUse("dead")).toBeNull();
  });
});
