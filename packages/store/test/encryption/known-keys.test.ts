import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import {
  type Database,
  deriveKeys,
  type KeySet,
  keyProblems,
  kycRecordsRepository,
  parseKeyRing,
  putUser,
  usersRepository,
} from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { aRequest, keysOf, makeWorld, secretsOf } from "../support/world.ts";

/** Creates a database that was used only with version 1 of the ring. */
async function usedDatabase() {
  const world = await makeWorld({ until: onTestFinished });
  const platformId = await world.platform();
  await world.kyc.createOrReplay(platformId, aRequest());
  return { ...world, platformId, count: reader(world.urls.adminUrl).count };
}

const { ring, fingerprintKey } = secretsOf(1);
const otherRing = parseKeyRing(`1:${Buffer.alloc(32, 99).toString("base64")}`);

describe("a database", () => {
  test.each<[string, KeySet, string]>([
    [
      "another key under a known version",
      deriveKeys({ ring: otherRing, fingerprintKey }),
      "KEY_RING version 1 differs from the key that this database was first used with.",
    ],
    [
      "a ring that lacks a version in use",
      keysOf(2),
      "KEY_RING version 1 is missing, but wraps keys of users, files or webhook endpoints.",
    ],
    [
      "another fingerprint key",
      deriveKeys({ ring, fingerprintKey: "another-secret-for-fingerprints-in-tests" }),
      "FINGERPRINT_KEY differs from the key that this database was first used with.",
    ],
  ])("rejects %s: it finds no user and writes nothing", async (_name, wrong, problem) => {
    const { database, platformId, count, urls } = await usedDatabase();
    expect(await keyProblems(database, wrong)).toEqual([problem]);
    const kyc = kycRecordsRepository(database, { keys: wrong });
    const refused = {
      code: "SERVICE_UNAVAILABLE",
      details: { cause: { name: "WrongKeys", message: problem } },
    };
    const newUser = aRequest({ memberId: "member-2", email: "bob@example.com" });
    await expect(kyc.createOrReplay(platformId, newUser)).rejects.toMatchObject(refused);
    await expect(kyc.latest(platformId, { memberId: "member-1" })).rejects.toMatchObject(refused);
    await expect(
      usersRepository(database, wrong).find(platformId, { memberId: "member-1" }),
    ).rejects.toMatchObject(refused);
    const user = { platformId, externalUserId: "usr_bob", memberId: "bob", email: "bob@example.com" };
    await expect(putUser(urls.ownerUrl, user, wrong)).rejects.toThrow(problem);
    expect(await count("users", platformId)).toBe(1);
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test("keeps the keys of the first of two processes that first use it with different keys", async () => {
    const { database, urls } = await makeWorld({ until: onTestFinished });
    const problems = await withConnection(urls.adminUrl, async (first) => {
      await first.query(
        "begin; insert into known_encryption_keys values ('KEY_RING version 1', 1, 'of the first')",
      );
      const second = keyProblems(database, keysOf(1));
      const waiting = async () => (await first.query("select from pg_locks where not granted")).rowCount;
      await expect.poll(waiting).toBe(1);
      await first.query("commit");
      return second;
    });
    expect(problems).toEqual([
      "KEY_RING version 1 differs from the key that this database was first used with.",
    ]);
  });

  test("does not store wrong keys", async () => {
    const { database } = await usedDatabase();
    expect(await keyProblems(database, keysOf(2))).toHaveLength(1);
    const otherSecond = deriveKeys({
      ring: { current: 1, keys: new Map([...ring.keys, [2, Buffer.alloc(32, 98)]]) },
      fingerprintKey,
    });
    expect(await keyProblems(database, otherSecond)).toEqual([]);
    expect(await keyProblems(database, keysOf(1, 2))).toEqual([
      "KEY_RING version 2 differs from the key that this database was first used with.",
    ]);
  });

  test("accepts a new version, and does not require an old version that is not in use", async () => {
    const { database, platformId } = await usedDatabase();
    expect(await keyProblems(database, keysOf(1, 2))).toEqual([]);
    const fresh = await makeWorld({ until: onTestFinished });
    expect(await keyProblems(fresh.database, keysOf(2, 1))).toEqual([]);
    expect(await keyProblems(fresh.database, keysOf(2))).toEqual([]);
    expect(await keyProblems(database, keysOf(2, 1))).toEqual([]);
    const kyc = kycRecordsRepository(database, { keys: keysOf(2, 1) });
    expect(await kyc.createOrReplay(platformId, aRequest())).toMatchObject({ kind: "replay" });
  });

  test("is queried for its known keys once, and again after a failure", async () => {
    const { database, platformId, keys } = { ...(await usedDatabase()), keys: keysOf(1) };
    let queries = 0;
    let away = true;
    const flaky: Database = {
      ...database,
      withoutPlatform: async (work) => {
        queries += 1;
        if (away) throw new Error("away");
        return database.withoutPlatform(work);
      },
    };
    const users = usersRepository(flaky, keys);
    const find = () => users.find(platformId, { memberId: "member-1" });
    await expect(find()).rejects.toThrow("away");
    away = false;
    for (let times = 0; times < 5; times += 1) expect(await find()).not.toBeNull();
    expect(queries).toBe(2);
  });

  test("stores only the check value of a key", async () => {
    const { urls } = await usedDatabase();
    const known = await reader(urls.adminUrl).all("known_encryption_keys");
    expect(known.map(({ name }) => name)).toEqual(["FINGERPRINT_KEY", "KEY_RING version 1"]);
    const text = JSON.stringify(known);
    for (const secret of [fingerprintKey, Buffer.from(fingerprintKey).toString("hex"), "01010101"]) {
      expect(text).not.toContain(secret);
    }
  });
});
