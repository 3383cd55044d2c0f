import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import {
  createVerifiedKeys,
  type Database,
  deriveKeys,
  type KeySet,
  keyProblems,
  kycRecordsRepository,
  noLookupCache,
  parseKeyRing,
  putUser,
  userLookup,
} from "../../src/database.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { keyRingOf } from "../support/key-ring.ts";
import { managing } from "../support/managing.ts";
import { answered, aRequest, keys, keysOf, makeWorld, secretsOf, someone } from "../support/world.ts";

/** Creates a database that was used only with version 1 of the ring. */
async function usedDatabase() {
  const world = await makeWorld({ until: onTestFinished });
  return { ...world, ...(await world.submitted()) };
}

const { ring, fingerprintKey } = secretsOf(1);
const otherRing = parseKeyRing(`1:${Buffer.alloc(32, 99).toString("base64")}`);
const ada = { memberId: "member-1" };
const bob = someone("bob");

describe("a database", () => {
  test.each<{ name: string; wrong: KeySet; problem: string }>([
    {
      name: "another key under a known version",
      wrong: deriveKeys({ ring: otherRing, fingerprintKey }),
      problem: "KEY_RING version 1 differs from the key that this database was first used with.",
    },
    {
      name: "a ring that lacks a version in use",
      wrong: keysOf(2),
      problem: "KEY_RING version 1 is missing, but wraps keys of users, files or webhook endpoints.",
    },
    {
      name: "another fingerprint key",
      wrong: deriveKeys({ ring, fingerprintKey: "another-secret-for-fingerprints-in-tests" }),
      problem: "FINGERPRINT_KEY differs from the key that this database was first used with.",
    },
  ])("rejects $name: it finds no user and writes nothing", async ({ wrong, problem }) => {
    const { database, platformId, count, urls } = await usedDatabase();
    expect(await keyProblems(database, wrong)).toEqual([problem]);
    const kyc = kycRecordsRepository(database, { keys: wrong });
    const cause = { name: "WrongKeys", message: problem };
    for (const call of [
      kyc.createOrReplay(platformId, aRequest(bob)),
      userLookup(portsOf(database, wrong)).find(platformId, ada),
    ])
      await expect(call).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", details: { cause } });
    const user = { platformId, externalUserId: "usr_bob", ...bob };
    await expect(putUser(urls.ownerUrl, user, wrong)).rejects.toThrow(problem);
    expect([await count("users", platformId), await count("kyc_records", platformId)]).toEqual([1, 1]);
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
    const otherSecond = { current: 1, keys: new Map([...ring.keys, [2, Buffer.alloc(32, 98)]]) };
    expect(await keyProblems(database, deriveKeys({ ring: otherSecond, fingerprintKey }))).toEqual([]);
    expect(await keyProblems(database, keysOf(1, 2))).toEqual([
      "KEY_RING version 2 differs from the key that this database was first used with.",
    ]);
  });

  test("accepts a new version, and does not require an old version that is not in use", async () => {
    const { database, platformId } = await usedDatabase();
    const fresh = await makeWorld({ until: onTestFinished });
    const problems = [
      keyProblems(database, keysOf(1, 2)),
      keyProblems(database, keysOf(2, 1)),
      keyProblems(fresh.database, keysOf(2, 1)),
    ];
    expect((await Promise.all(problems)).flat()).toEqual([]);
    expect(await keyProblems(fresh.database, keysOf(2))).toEqual([]);
    const kyc = kycRecordsRepository(database, { keys: keysOf(2, 1) });
    expect(await kyc.createOrReplay(platformId, aRequest())).toMatchObject({ kind: "replay" });
  });

  test("is queried for its known keys once, and again after a failure", async () => {
    const { database, platformId } = await usedDatabase();
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
    const users = userLookup(portsOf(flaky, keysOf(1)));
    await expect(users.find(platformId, ada)).rejects.toThrow("away");
    away = false;
    for (let times = 0; times < 5; times += 1) expect(await users.find(platformId, ada)).not.toBeNull();
    expect(queries).toBe(2);
  });

  test("stores only the check value of a key", async () => {
    const { all } = await usedDatabase();
    const known = await all("known_encryption_keys");
    expect(known.map(({ name }) => name)).toEqual(["FINGERPRINT_KEY", "KEY_RING version 1"]);
    const text = JSON.stringify(known);
    for (const secret of [fingerprintKey, Buffer.from(fingerprintKey).toString("hex"), "01010101"])
      expect(text).not.toContain(secret);
  });
});

test("the configured keys have no property with the keys of personal data", () => {
  const names = ["audit", "erasures", "personalData", "problems", "urls", "versions"];
  expect(Object.keys(keys).sort()).toEqual(names);
  expect(keys.versions).toEqual({ current: 1, all: [1] });
});

const portsOf = (database: Database, keys: KeySet) => ({
  database,
  personalDataKeys: createVerifiedKeys(database, keys),
  cache: noLookupCache,
});

describe("keys that lack the version in use", async () => {
  const wrong = keysOf(2);
  const { database, kyc, ports, submitted } = await makeWorld();
  const { blobs, kept } = memoryBlobs();
  const { platformId, record, externalUserId, kycRecordId } = await submitted();
  const file = aFile();
  await filesWith(database, keys, blobs).keep(platformId, file);

  const records = kycRecordsRepository(database, { keys: wrong });
  const admin = managing({ ...ports, personalDataKeys: createVerifiedKeys(database, wrong) }).userAdmin;
  const files = filesWith(database, wrong, blobs);
  const encryptionKeys = keyRingOf(ports, wrong);

  test.each<[string, () => Promise<unknown>]>([
    ["a submission", () => records.createOrReplay(platformId, aRequest())],
    ["the latest record of a user", () => records.current(platformId, ada)],
    ["an attempt that sends", () => loadToSend()],
    ["showing a user", () => admin.show(platformId, ada)],
    ["relinking a user", () => admin.relink(platformId, externalUserId, { memberId: "m" })],
    ["importing users", () => admin.import(platformId, [bob])],
    ["storing a file", () => files.keep(platformId, aFile())],
    ["reading a record with its user", () => records.history(platformId, kycRecordId)],
    ["reading a file", () => files.read(platformId, file.fileId)],
    ["rewrapping", () => encryptionKeys.rewrap({ after: "", limit: 10 })],
  ])("are rejected by %s", async (_name, call) => {
    const cause = { name: "WrongKeys" };
    await expect(call()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", details: { cause } });
    expect(kept.size).toBe(1);
  });

  test("read and write the state of records, of keys and of files", async () => {
    const { record: asked } = await submitted(bob, platformId);
    await records.reschedule(platformId, asked, { step: "ask", notFound: 0, delayMs: 0 });
    expect(await records.loadAttempt(platformId, asked)).toMatchObject({ step: "ask" });
    const { record: stored } = await records.storeVerdict(platformId, asked, answered("approved"));
    expect(stored.status).toBe("APPROVED");
    expect(await records.countWaiting()).not.toEqual([]);
    const inUse = { version: 1, users: 2, files: 1, inRing: false, current: false };
    expect(await encryptionKeys.status()).toContainEqual(expect.objectContaining(inUse));
    expect(await files.check(platformId, [{ ...file, path: [] }], null)).toEqual([]);
    expect(await files.sweep(10)).toBe(0);
  });

  async function loadToSend() {
    await kyc.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 0 });
    return records.loadAttempt(platformId, record);
  }
});
