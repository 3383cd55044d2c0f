import { expect, inject, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import {
  erasures,
  filesRepository,
  kycRecordsRepository,
  putPlatform,
  restoresRepository,
} from "../../src/database.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { openDatabase } from "../support/open-database.ts";
import { answered, aRequest, keys, someone } from "../support/world.ts";

type Store = ReturnType<typeof memoryBlobs>;

/** The repositories of a database and its file store. */
function open(urls: TestDatabase, store: Store) {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {}, maxConnections: 5 });
  return {
    database,
    asAdmin: (text: string) => withConnection(urls.adminUrl, (client) => client.query(text)),
    kyc: kycRecordsRepository(database, { keys }),
    files: filesRepository(database, keys, store.blobs),
    restores: restoresRepository(database, keys, store.blobs),
    ...erasures(database, { keys, blobs: store.blobs }),
  };
}

/** A database with two users, and a backup of it from before the erasure of the first one. */
async function restoredWorld() {
  const urls = await createTestDatabase(inject("server"));
  const store = memoryBlobs();
  const platformId = "plt_one";
  await putPlatform(urls.ownerUrl, { id: platformId, name: "One" });
  const before = open(urls, store);
  const users: string[] = [];
  for (const nth of [1, 2]) {
    const { record } = await before.kyc.createOrReplay(platformId, aRequest(someone(nth)));
    if (nth === 1) await before.kyc.storeVerdict(platformId, record, answered("approved"));
    users.push(record.externalUserId);
  }
  await before.database.close();
  const backup = await createTestDatabase(inject("server"), { copyOf: urls });
  const [lost, restored] = [open(urls, store), open(backup, store)];
  onTestFinished(async () => {
    await Promise.all([lost.database.close(), restored.database.close()]);
    await Promise.all([urls.drop(), backup.drop()]);
  });
  return { platformId, users, lost, restored, store };
}

test("a restored database is refused while the file store knows an erasure that it lacks", async () => {
  const { platformId, users, lost, restored } = await restoredWorld();
  expect(await restored.restores.reasonsNotToStart()).toEqual([]);
  await lost.request(platformId, String(users[0]));
  expect(await lost.eraseDue(10)).toBe(1);
  expect(await lost.restores.reasonsNotToStart()).toEqual([]);
  expect(await restored.restores.reasonsNotToStart()).toEqual([
    "The database was restored to a time before an erasure that the file store knows. Run cardbridge restore check.",
  ]);

  const { erasures, problems } = await restored.restores.recoverErasures();
  expect({ erasures, problems }).toEqual({
    problems: [],
    erasures: [{ platformId, externalUserId: users[0], at: expect.any(Date) }],
  });
  expect(await restored.request(platformId, String(users[0]))).toBe(true);
  expect(await restored.eraseDue(10)).toBe(1);
  expect(await restored.restores.reasonsNotToStart()).toEqual([]);

  // The chain goes on after the entries of the lost database.
  await restored.asAdmin("update kyc_records set resolution = 'refused', lease_until = null, due_at = null");
  await restored.request(platformId, String(users[1]));
  expect(await restored.eraseDue(10)).toBe(1);
  expect(
    (await restored.restores.recoverErasures()).erasures.map(({ externalUserId }) => externalUserId),
  ).toEqual(users);
});

test("a restored database erases nobody while it lacks an erasure of the file store", async () => {
  const { platformId, users, lost, restored } = await restoredWorld();
  for (const { request } of [lost, restored]) await request(platformId, String(users[0]));
  expect(await lost.eraseDue(10)).toBe(1);
  await expect(restored.eraseDue(10)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const { rowCount } = await restored.asAdmin("select from users where erased_at is not null");
  expect(rowCount).toBe(0);
});

test("a restore that is marked is refused until its check ends", async () => {
  const { restored } = await restoredWorld();
  await restored.asAdmin("insert into restores default values");
  expect(await restored.restores.reasonsNotToStart()).toEqual([
    "The database was restored and is not checked. Run cardbridge restore check.",
  ]);
  await restored.restores.finish({ listed: true });
  expect(await restored.restores.reasonsNotToStart()).toEqual([]);
});

test("a dump in another server, with lower transaction numbers, is refused", async () => {
  const { restored, platformId } = await restoredWorld();
  const numbers = await restored.restores.platforms();
  expect(numbers.find((platform) => platform.platformId === platformId)).toEqual({
    platformId,
    newestAt: expect.any(Date),
    continues: true,
  });
  await restored.asAdmin("update audit_entries set txid = txid + 1000000000000");
  expect(await restored.restores.reasonsNotToStart()).toEqual([
    expect.stringContaining("transaction numbers are lower than those of the audit"),
  ]);
});

test("records without a final status are asked before they are sent, also leased ones", async () => {
  const { restored, users } = await restoredWorld();
  expect(await restored.kyc.leaseDue(10)).toEqual([]);
  expect(await restored.restores.askWaiting()).toBe(1);
  const [due] = await restored.kyc.leaseDue(10);
  const attempt = await restored.kyc.loadAttempt(
    String(due?.platformId),
    due ?? { kycRecordId: "", attempt: 0 },
  );
  expect(attempt).toMatchObject({ step: "ask", notFound: 0, record: { externalUserId: users[1] } });
});

test("files and blobs are compared both ways", async () => {
  const { restored, platformId, store } = await restoredWorld();
  const before = await restored.restores.compareFiles();
  const [whole, lost, unfinished] = [aFile(), aFile(), aFile()];
  for (const file of [whole, lost]) await restored.files.keep(platformId, file);
  store.kept.delete(lost.blobName);
  store.state.broken = "before";
  await expect(restored.files.keep(platformId, unfinished)).rejects.toMatchObject({ code: "STORAGE_FULL" });
  const orphan = aFile().blobName;
  await store.blobs.put(orphan, Buffer.from("an orphan"));
  const after = await restored.restores.compareFiles();
  expect(after).toMatchObject({ files: before.files + 3, blobs: before.blobs + 2, missing: [lost.fileId] });
  expect(after.orphans).toEqual([...before.orphans, orphan]);
});

test("rights that a restore lost are found", async () => {
  const { restored } = await restoredWorld();
  expect(await restored.restores.accessProblems()).toEqual([]);
  await restored.asAdmin(`
    revoke all on users from cardbridge_service;
    revoke all on function lease_due(integer, interval) from cardbridge_service;
    alter table files no force row level security`);
  expect(await restored.restores.accessProblems()).toEqual([
    "files has no forced row-level security.",
    "lease_due cannot be called by the service.",
    "users cannot be read by the service.",
  ]);
});
