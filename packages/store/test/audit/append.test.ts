import type { AuditEntry } from "@cardbridge/domain";
import { afterAll, describe, expect, test } from "vitest";
import { auditRepository, kycRecordsRepository, listAudit, openDatabase } from "../../src/index.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { aCaller, aClaim, answered, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, platform, database, urls } = await makeWorld();
const entriesOf = (platformId: string) => listAudit(database, platformId, 100);

const aRead: AuditEntry = { ...aCaller, operation: "kyc.get", subject: "kyc_1", outcome: "done" };

describe("a submission", () => {
  test("is noted with its record, by whom and from where, and without personal data", async () => {
    const platformId = await platform();
    const { record } = await kyc.claim(platformId, aClaim());
    const entries = await entriesOf(platformId);
    const submitted = { ...aCaller, act: "kyc.submit", subject: record.kycRecordId, outcome: "done" };
    expect(entries).toEqual([{ ...submitted, id: expect.any(BigInt), at: expect.any(Date) }]);
    const text = JSON.stringify(entries, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
    for (const value of Object.values(aClaim().submission)) expect(text).not.toContain(value);
  });

  test("that repeats a record, by its body or by its key, is noted as such", async () => {
    const platformId = await platform();
    const keyed = (changes = {}) => ({
      ...aClaim(changes),
      idempotencyKey: "k",
    });
    const { record } = await kyc.claim(platformId, keyed());
    await kyc.claim(platformId, aClaim());
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    await kyc.claim(platformId, keyed());
    const entries = await entriesOf(platformId);
    expect(entries.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      [record.kycRecordId, "replayed"],
      [record.kycRecordId, "replayed"],
      [record.kycRecordId, "done"],
    ]);
  });

  test("that writes nothing leaves no entry", async () => {
    const platformId = await platform();
    await kyc.claim(platformId, aClaim());
    await expect(kyc.claim(platformId, aClaim({ occupation: "Poet" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
    });
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test.each(["before", "after"] as const)(
    "is noted once when the connection breaks %s its commit arrives",
    async (when) => {
      const platformId = await platform();
      proxy.cutAt("commit", when);
      await kycRecordsRepository(proxied, { keys }).claim(platformId, aClaim());
      expect(await entriesOf(platformId)).toMatchObject([{ act: "kyc.submit", outcome: "done" }]);
    },
  );
});

describe("an act without a transaction of its own", () => {
  test("is noted by the time that it returns, with the database's time", async () => {
    const platformId = await platform();
    const person = { ...aRead, actor: "person:ada", requestId: null, address: null, subject: null };
    await audit.append(platformId, person);
    const [entry] = await entriesOf(platformId);
    expect(entry).toMatchObject(person);
    expect(Math.abs(Number(entry?.at) - Date.now())).toBeLessThan(3_600_000);
    expect(await entriesOf(await platform())).toEqual([]);
  });

  test.each([
    ["cannot be reached", () => proxy.down()],
    ["breaks during the commit", () => proxy.cutAt("commit", "after")],
  ])("is SERVICE_UNAVAILABLE when the database %s", async (_name, breaks) => {
    const platformId = await platform();
    breaks();
    const noting = auditRepository(proxied, keys).note(platformId, aRead);
    await expect(noting).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    proxy.up();
  });

  test("is SERVICE_UNAVAILABLE when the database refuses it, for whatever reason", async () => {
    const nowhere = { ...aRead, actor: null } as unknown as AuditEntry;
    await expect(audit.append(await platform(), nowhere)).rejects.toMatchObject({
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
