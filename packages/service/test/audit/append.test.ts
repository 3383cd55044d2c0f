import { afterAll, describe, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/database.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { auditing } from "../support/auditing.ts";
import { openDatabase } from "../support/open-database.ts";
import { aCaller, answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, platform, urls } = await makeWorld();
const entriesOf = (platformId: string) =>
  audit.list([platformId], { limit: 100 }).then(({ entries }) => entries);

const aRead = { ...aCaller, operation: "kyc.get", subject: "kyc_1", outcome: "done" } as const;

describe("a submission", () => {
  test("is audited with its record, its actor and address, and without personal data", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    const entries = await entriesOf(platformId);
    const submitted = { ...aCaller, subject: record.kycRecordId, outcome: "done" };
    const listed = {
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/^20.*Z$/),
      platformId,
      person: null,
      by: null,
      count: null,
      purpose: null,
    };
    expect(entries).toEqual([{ ...submitted, ...listed }]);
    const text = JSON.stringify(entries);
    for (const value of Object.values(aRequest().submission)) expect(text).not.toContain(value);
  });

  test("that replays a record, by its body or by its key, is audited as a replay", async () => {
    const platformId = await platform();
    const keyed = (changes = {}) => ({
      ...aRequest(changes),
      idempotencyKey: "k",
    });
    const { record } = await kyc.createOrReplay(platformId, keyed());
    await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    await kyc.createOrReplay(platformId, keyed());
    const entries = await entriesOf(platformId);
    expect(entries.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      [record.kycRecordId, "replayed"],
      [record.kycRecordId, "replayed"],
      [record.kycRecordId, "done"],
    ]);
  });

  test("that writes nothing adds no entry", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, aRequest());
    await expect(kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
    });
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test.each(["before", "after"] as const)(
    "is audited once when the connection breaks %s the server receives its commit",
    async (when) => {
      const platformId = await platform();
      proxy.cutAt("commit", when);
      await kycRecordsRepository(proxied, { keys }).createOrReplay(platformId, aRequest());
      expect(await entriesOf(platformId)).toMatchObject([{ operation: "kyc.submit", outcome: "done" }]);
    },
  );
});

describe("an entry in its own transaction", () => {
  test("is committed on return, with the database's time", async () => {
    const platformId = await platform();
    const person = { ...aRead, actor: "claim:ada", requestId: null, address: null, subject: null };
    await audit.append(platformId, person);
    const [entry] = await entriesOf(platformId);
    expect(entry).toMatchObject(person);
    expect(Math.abs(Date.parse(entry?.at ?? "") - Date.now())).toBeLessThan(3_600_000);
    expect(await entriesOf(await platform())).toEqual([]);
  });

  test.each([
    ["cannot be reached", () => proxy.down()],
    ["breaks during the commit", () => proxy.cutAt("commit", "after")],
  ])("is SERVICE_UNAVAILABLE when the database %s", async (_name, breaks) => {
    const platformId = await platform();
    breaks();
    const appending = auditing(proxied).appendDone(platformId, aRead);
    await expect(appending).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    proxy.up();
  });

  test("is SERVICE_UNAVAILABLE when the database rejects it for any reason", async () => {
    const nowhere = { ...aRead, actor: null as never };
    await expect(audit.appendDone(await platform(), nowhere)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { cause: { code: "23502" } },
    });
  });
});

const proxy = await startDatabaseProxy(urls.serviceUrl);
const proxied = openDatabase({ url: proxy.url, onError: () => {} });
afterAll(async () => {
  await proxied.close();
  await proxy.close();
});

test("a person's entry names the person and the key apart", async () => {
  const platformId = await platform();
  const entry = { ...aCaller, operation: "records.get", subject: null, outcome: "done" } as const;
  await audit.append(platformId, { ...entry, actor: "per_1/key_1" });
  await audit.append(platformId, { ...entry, actor: "claim:ada" });
  expect((await entriesOf(platformId)).map(({ actor, person }) => ({ actor, person }))).toEqual([
    { actor: "claim:ada", person: null },
    { actor: "key_1", person: "per_1" },
  ]);
});
