import { type CardProvider, Failure, type ProviderExecution } from "@cardbridge/domain";
import { expect, inject, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { kycRecordsRepository, putPlatform } from "../../src/database.ts";
import { createVerifiedKeys } from "../../src/encryption/verified-keys.ts";
import type { Ports } from "../../src/index.ts";
import { checkRestore } from "../../src/restores/check.ts";
import { reasonsNotToStart } from "../../src/restores/restored.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { managing } from "../support/managing.ts";
import { openDatabase } from "../support/open-database.ts";
import { answered, aRequest, keys, keysOf, someone } from "../support/world.ts";

type Store = ReturnType<typeof memoryBlobs>;

/** A database and its file store, with a provider that lists nothing. */
function open(urls: TestDatabase, { blobs }: Store) {
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {}, maxConnections: 5 });
  const names = { database, personalDataKeys: createVerifiedKeys(database, keys) };
  const { ports } = fakePorts({ ...names, keySet: keys, blobs });
  const listExecutions: CardProvider["listExecutions"] = async () => ({ executions: [], nextCursor: null });
  return {
    database,
    asAdmin: (text: string) => withConnection(urls.adminUrl, (client) => client.query(text)),
    kyc: kycRecordsRepository(database, { keys }),
    files: filesWith(database, keys, blobs),
    reasonsNotToStart: () => reasonsNotToStart(ports),
    /** Checks the database, and returns the report and its findings by their parts. */
    async check(input: { since?: string; accept?: true } = {}, changes: Partial<Ports> = {}) {
      const provider = { ...ports.provider, listExecutions };
      const { data } = await checkRestore.execute({ ...ports, provider, ...changes }, operatorCall, input);
      const { findings, ...report } = data;
      const of = (part: string) => findings.find(({ check }) => check === part);
      return { ...report, findings, of };
    },
    /** Whether the provider listed what the database forgot, for each restore whose check ended. */
    ended: async () =>
      (await withConnection(urls.adminUrl, (client) => client.query("select listed from restores"))).rows.map(
        ({ listed }) => listed,
      ),
    ports,
    ...managing(ports).erasures,
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
  expect(await restored.reasonsNotToStart()).toEqual([]);
  await lost.request(platformId, String(users[0]));
  expect(await lost.eraseDue(10)).toBe(1);
  expect(await lost.reasonsNotToStart()).toEqual([]);
  expect(await restored.reasonsNotToStart()).toEqual([
    "The database was restored to a time before an erasure that the file store knows. Run cardbridge restore check.",
  ]);

  const { passed, of } = await restored.check();
  expect(passed).toBe(true);
  expect(of("Erasures")).toEqual({
    check: "Erasures",
    result: "ok",
    found: expect.stringMatching(/^The log has 1 erasures.* 1 users were there again: 1 are erased/),
    details: [`${users[0]} was requested again.`],
  });
  expect(await restored.reasonsNotToStart()).toEqual([]);

  // The chain goes on after the entries of the lost database.
  await restored.asAdmin("update kyc_records set resolution = 'refused', lease_until = null, due_at = null");
  await restored.request(platformId, String(users[1]));
  expect(await restored.eraseDue(10)).toBe(1);
  expect((await restored.check()).of("Erasures")?.found).toMatch(/^The log has 2 erasures, 2 of them/);
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
  expect(await restored.reasonsNotToStart()).toEqual([
    "The database was restored and is not checked. Run cardbridge restore check.",
  ]);
  expect(await restored.check()).toMatchObject({ passed: true, mayStart: true });
  expect(await restored.ended()).toEqual([true]);
  expect(await restored.reasonsNotToStart()).toEqual([]);
});

test("a dump in another server, with lower transaction numbers, is refused", async () => {
  const { restored, platformId } = await restoredWorld();
  expect((await restored.check()).of("Audit")).toMatchObject({ result: "ok" });
  await restored.asAdmin("update audit_entries set txid = txid + 1000000000000");
  expect(await restored.reasonsNotToStart()).toEqual([
    expect.stringContaining("transaction numbers are lower than those of the audit"),
  ]);
  expect((await restored.check()).of("Audit")).toMatchObject({
    result: "problem",
    details: expect.arrayContaining([
      `${platformId}: the server's next transaction number is below that of the newest entry.`,
    ]),
  });
});

test("records without a final status are asked before they are sent, also leased ones", async () => {
  const { restored, users } = await restoredWorld();
  expect(await restored.kyc.leaseDue(10)).toEqual([]);
  expect((await restored.check()).of("Records")?.found).toMatch(/^1 records without a final status are due/);
  const [due] = await restored.kyc.leaseDue(10);
  const attempt = await restored.kyc.loadAttempt(
    String(due?.platformId),
    due ?? { kycRecordId: "", attempt: 0 },
  );
  expect(attempt).toMatchObject({ step: "ask", notFound: 0, record: { externalUserId: users[1] } });
});

test("files and blobs are compared both ways", async () => {
  const { restored, platformId, store } = await restoredWorld();
  const [whole, lost, unfinished] = [aFile(), aFile(), aFile()];
  for (const file of [whole, lost]) await restored.files.keep(platformId, file);
  store.kept.delete(lost.blobName);
  store.state.broken = "before";
  await expect(restored.files.keep(platformId, unfinished)).rejects.toMatchObject({ code: "STORAGE_FULL" });
  const orphan = aFile().blobName;
  await store.blobs.put(orphan, Buffer.from("an orphan"));
  const { passed, of } = await restored.check();
  expect(passed).toBe(true);
  expect(of("Files")).toEqual({
    check: "Files",
    result: "note",
    found:
      "2 of 3 files need a blob: the others are being stored or deleted. The file store has 2 blobs. " +
      "1 files lack theirs. 1 blobs have no file; they stay.",
    details: [`${lost.fileId} has no blob.`, `The blob ${orphan} has no file.`],
  });
});

test("rights that a restore lost are found", async () => {
  const { restored } = await restoredWorld();
  expect((await restored.check()).of("Access")).toMatchObject({ result: "ok", details: [] });
  await restored.asAdmin(`
    revoke all on users from cardbridge_service;
    revoke all on function lease_due(integer, interval) from cardbridge_service;
    alter table files no force row level security`);
  const checked = await restored.check({ accept: true });
  expect(checked.of("Access")).toMatchObject({
    result: "problem",
    details: [
      "files has no forced row-level security.",
      "lease_due cannot be called by the service.",
      "users cannot be read by the service.",
    ],
  });
  // The other parts would fail for these reasons alone: nobody can accept what they would find.
  expect(checked).toMatchObject({ passed: false, mayStart: false, findings: { length: 2 } });
});

const execution = (nth: number, userReference: string): ProviderExecution => ({
  reference: `kyc_${nth}`,
  userReference,
  fingerprint: null,
  executedAt: new Date(),
  verdict: answered("approved"),
});
const listingBy = (listExecutions: unknown) => (ports: Ports) =>
  ({ provider: { ...ports.provider, listExecutions } }) as Partial<Ports>;

test("executions are listed from an hour before the newest audit entry, page by page", async () => {
  const { restored, users } = await restoredWorld();
  const { rows } = await restored.asAdmin("select max(at) as newest from audit_entries");
  const from = new Date(rows[0].newest.getTime() - 3_600_000);
  const asked: unknown[] = [];
  const listing = listingBy(async (request: { cursor?: string }) => {
    asked.push(request);
    return request.cursor === undefined
      ? { executions: [execution(1, String(users[0]))], nextCursor: "next" }
      : { executions: [execution(2, "usr_2")], nextCursor: null };
  });
  const { of, passed, since } = await restored.check({}, listing(restored.ports));
  expect(since).toBe(from.toISOString());
  expect(asked).toEqual([
    { from, cursor: undefined },
    { from, cursor: "next" },
  ]);
  expect(of("Executions")).toMatchObject({
    result: "note",
    details: [`kyc_1 of ${users[0]} is adopted.`, "kyc_2 of usr_2 is unknown."],
  });
  expect([passed, await restored.ended()]).toEqual([true, [true]]);
});

test.each([
  { name: "an adapter without the call", listExecutions: undefined },
  { name: "a provider without the call", listExecutions: async () => null },
])("$name is a note: the check passes, and events are explained for a while", async ({ listExecutions }) => {
  const { restored } = await restoredWorld();
  const { of, passed } = await restored.check({}, listingBy(listExecutions)(restored.ports));
  expect(of("Executions")).toMatchObject({ result: "note" });
  expect([passed, await restored.ended()]).toEqual([true, [false]]);
});

const unavailable = async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE"));
const paused = { run: async () => Promise.reject(new Failure("PROVIDER_PAUSED")) };
const problems: { part: string; name: string; change: (ports: Ports) => Partial<Ports> }[] = [
  { part: "Keys", name: "other keys", change: () => ({ keySet: keysOf(2) }) },
  {
    part: "Erasures",
    name: "an unusable log",
    change: ({ blobs }) => ({ blobs: { ...blobs, get: unavailable } }),
  },
  {
    part: "Erasures",
    name: "a changed log",
    change: ({ blobs }) => ({ blobs: { ...blobs, get: async () => Buffer.from("{}") } }),
  },
  { part: "Executions", name: "an unavailable provider", change: listingBy(unavailable) },
  {
    part: "Executions",
    name: "a paused provider",
    change: (ports) => ({ providerSlots: { ...ports.providerSlots, ...paused } }),
  },
];
test.each(problems)("$part: $name is a problem, and the service does not start", async ({ part, change }) => {
  const { restored, lost, platformId, users } = await restoredWorld();
  await lost.request(platformId, String(users[0]));
  await lost.eraseDue(10);
  const { of, passed, mayStart } = await restored.check({}, change(restored.ports));
  expect(of(part)).toMatchObject({ result: "problem" });
  expect([passed, mayStart, await restored.ended()]).toEqual([false, false, []]);
});

test("a problem can be accepted", async () => {
  const { restored } = await restoredWorld();
  const unlisted = listingBy(unavailable)(restored.ports);
  expect(await restored.check({ accept: true }, unlisted)).toMatchObject({ passed: false, mayStart: true });
  expect(await restored.ended()).toEqual([false]);
});

test("a file store that cannot be listed is a note", async () => {
  const { restored } = await restoredWorld();
  const list = async function* () {
    yield await unavailable();
  };
  const { of, passed } = await restored.check({}, { blobs: { ...restored.ports.blobs, list } });
  expect(of("Files")).toMatchObject({ result: "note" });
  expect(passed).toBe(true);
});
