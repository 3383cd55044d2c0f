import { describe, expect, test } from "vitest";
import {
  encryptionKeysRepository,
  filesRepository,
  kycRecordsRepository,
  userAdmin,
  usersRepository,
} from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { aCaller, answered, aRequest, keys, keysOf, makeWorld } from "../support/world.ts";

/** The database was used with version 1, which these keys lack. */
const wrong = keysOf(2);
const wrongKeys = { code: "SERVICE_UNAVAILABLE", details: { cause: { name: "WrongKeys" } } };

const { database, kyc, platform } = await makeWorld();
const platformId = await platform();
const { blobs, kept } = memoryBlobs();
const file = aFile();
await filesRepository(database, keys, blobs).keep(platformId, file);
const { record } = await kyc.createOrReplay(platformId, aRequest());

const records = kycRecordsRepository(database, { keys: wrong });
const users = usersRepository(database, wrong);
const admin = userAdmin(database, wrong);
const files = filesRepository(database, wrong, blobs);
const encryptionKeys = encryptionKeysRepository(database, wrong);
const ada = { memberId: "member-1" };
const bob = { memberId: "bob", email: "bob@example.com", generatedId: "usr_bob" };

test("the configured keys have no property with the keys of personal data", () => {
  expect(Object.keys(keys).sort()).toEqual([
    "audit",
    "erasures",
    "personalData",
    "problems",
    "urls",
    "versions",
  ]);
  expect(keys.versions).toEqual({ current: 1, all: [1] });
});

describe("wrong keys are rejected by", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["a submission", () => records.createOrReplay(platformId, aRequest())],
    ["the latest record of a user", () => records.latest(platformId, ada)],
    ["an attempt that sends", () => loadToSend()],
    ["the look-up of a user", () => users.find(platformId, ada)],
    ["showing a user", () => admin.show(platformId, ada)],
    ["relinking a user", () => admin.relink(platformId, record.externalUserId, { memberId: "m" })],
    ["importing users", () => admin.import(platformId, [bob], aCaller)],
    ["storing a file", () => files.keep(platformId, aFile())],
    ["reading a record with its user", () => records.history(platformId, record.kycRecordId)],
    ["reading a file", () => files.read(platformId, file.fileId)],
    ["rewrapping", () => encryptionKeys.rewrap({ after: "", limit: 10 })],
  ])("%s", async (_name, call) => {
    await expect(call()).rejects.toMatchObject(wrongKeys);
    expect(kept.size).toBe(1);
  });
});

test("the state of records, of keys and of files is read and written with wrong keys too", async () => {
  const { record: asked } = await kyc.createOrReplay(platformId, aRequest(bob));
  await records.reschedule(platformId, asked, { step: "ask", notFound: 0, delayMs: 0 });
  expect(await records.loadAttempt(platformId, asked)).toMatchObject({ step: "ask" });
  const { record: stored } = await records.storeVerdict(platformId, asked, answered("approved"));
  expect(stored.status).toBe("APPROVED");
  expect(await records.countWaiting()).not.toEqual([]);
  expect(await encryptionKeys.status()).toContainEqual({
    version: 1,
    users: 2,
    files: 1,
    webhookEndpoints: 0,
    persons: 0,
    inRing: false,
    current: false,
  });
  expect(await files.platformOf(file.fileId)).toBe(platformId);
  expect(await files.sweep(10)).toBe(0);
});

async function loadToSend() {
  await kyc.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 0 });
  return records.loadAttempt(platformId, record);
}
