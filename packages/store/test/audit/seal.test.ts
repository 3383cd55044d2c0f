import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { listAudit, verifyAudit } from "../../src/index.ts";
import { aCaller, aClaim, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, platform, sealAll, database, urls } = await makeWorld();
const verify = (platformId: string) => verifyAudit(database, platformId, { keys });

async function platformWith(entries: number): Promise<string> {
  const platformId = await platform();
  for (let number = 1; number <= entries; number += 1) await note(platformId, number);
  return platformId;
}

function note(platformId: string, number: number): Promise<void> {
  return audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: `kyc_${number}`, outcome: "done" });
}

/** A connection as the service's role, with a transaction that has written an entry and stays open. */
async function underWay(platformId: string) {
  const client = new Client(urls.serviceUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
  const insert = "insert into audit_entries (platform_id, actor, act, subject, outcome)";
  await client.query(`${insert} values ('${platformId}', 'key_1', 'kyc.get', 'kyc_late', 'done')`);
  return client;
}

describe("sealing", () => {
  test("puts every entry under one seal, in order, so many at a time", async () => {
    const platformId = await platformWith(7);
    const seals = await sealAll(platformId, 3);
    expect(seals.map(({ number, count }) => [number, count])).toEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ]);
    expect(await audit.seal(platformId, 3)).toBeNull();
    const report = { seals: 3, entries: 7, unsealed: 0, last: seals[2], problems: [] };
    expect(await verify(platformId)).toEqual(report);
  });

  test("leaves other platforms alone, and tells which ones have something to seal", async () => {
    const [one, two] = [await platformWith(2), await platformWith(1)];
    const unsealed = async () => (await audit.unsealed()).map(({ platformId }) => platformId);
    expect(await unsealed()).toEqual(expect.arrayContaining([one, two]));
    await sealAll(one);
    expect(await unsealed()).toContain(two);
    expect(await unsealed()).not.toContain(one);
    expect(await verify(two)).toMatchObject({ seals: 0, unsealed: 1, problems: [] });
    await note(one, 3);
    const again = (await audit.unsealed()).find(({ platformId }) => platformId === one);
    expect(again?.oldestSeconds).toBeGreaterThanOrEqual(0);
  });

  test("waits for a transaction that may still add an entry in front, and loses none", async () => {
    const platformId = await platform();
    const late = await underWay(platformId);
    await note(platformId, 1);
    expect(await audit.seal(platformId, 10)).toBeNull();
    await late.query("commit");
    await sealAll(platformId);
    const entries = await listAudit(database, platformId, 10);
    expect(entries.map(({ subject }) => subject)).toEqual(["kyc_1", "kyc_late"]);
    expect(await verify(platformId)).toMatchObject({ entries: 2, unsealed: 0, problems: [] });
  });

  test("goes on when that transaction gives up", async () => {
    const platformId = await platform();
    const late = await underWay(platformId);
    await note(platformId, 1);
    await late.query("rollback");
    expect(await sealAll(platformId)).toMatchObject([{ number: 1, count: 1 }]);
  });

  test("by many at once makes one chain", async () => {
    const platformId = await platformWith(12);
    const others = Array.from({ length: 4 }, () => sealAll(platformId, 2));
    const seals = (await Promise.all(others)).flat();
    expect(seals.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await verify(platformId)).toMatchObject({ seals: 6, entries: 12, unsealed: 0, problems: [] });
  });

  test("while submissions come in covers all of them", async () => {
    const platformId = await platform();
    const submissions = Array.from({ length: 60 }, (_, index) =>
      kyc.claim(platformId, aClaim({ memberId: `m-${index}`, email: `${index}@example.com` })),
    );
    const sealing = (async () => {
      for (let times = 0; times < 40; times += 1) await audit.seal(platformId, 7);
    })();
    await Promise.all([...submissions, sealing]);
    await sealAll(platformId);
    expect(await verify(platformId)).toMatchObject({ entries: 60, unsealed: 0, problems: [] });
  });
});

describe("verification", () => {
  test("tells how far it has come", async () => {
    const platformId = await platformWith(3);
    await sealAll(platformId, 1);
    const told: unknown[] = [];
    await verifyAudit(database, platformId, { keys, onProgress: (done) => told.push(done) });
    expect(told.at(-1)).toEqual({ seals: 3, entries: 3 });
  });

  test("needs the key that the seals were made with: the database alone forges none", async () => {
    const platformId = await platformWith(2);
    await sealAll(platformId, 1);
    const report = await verifyAudit(database, platformId, { keys: { audit: Buffer.alloc(32) } });
    expect(report.problems).toEqual(["Seal 1 was changed.", "Seal 2 was changed."]);
  });

  test("reads through more seals than a page has", async () => {
    const platformId = await platformWith(45);
    await sealAll(platformId, 1);
    expect(await verify(platformId)).toMatchObject({ seals: 45, entries: 45, unsealed: 0, problems: [] });
  });
});
