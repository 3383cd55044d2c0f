import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { recordSearch } from "../../src/index.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const search = recordSearch(database, async () => []);

const create = async (platformId: string, member = 1) => {
  const request = aRequest({ memberId: `m-${member}`, email: `${member}@example.com` });
  return (await kyc.createOrReplay(platformId, request)).record;
};
const present = async () => (await search.changes("all")).lastEventId;

/** Reads until `count` changes are found. Transactions of other tests on the server delay them briefly. */
async function read(platforms: readonly string[] | "all", from: string, count: number) {
  const found = [];
  let lastEventId = from;
  while (found.length < count) {
    const page = await search.changes(platforms, lastEventId);
    found.push(...page.changes);
    lastEventId = page.lastEventId;
  }
  return { found, lastEventId };
}

describe("the changes of several platforms", () => {
  test("name the record, its platform and the status that callers see", async () => {
    const platformId = await platform();
    const from = await present();
    const record = await create(platformId);
    await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));
    const { found, lastEventId } = await read([platformId], from, 2);
    const { kycRecordId, externalUserId } = record;
    const change = {
      id: expect.any(String),
      timestamp: expect.any(String),
      platformId,
      kycRecordId,
      externalUserId,
    };
    expect(found).toEqual([
      { ...change, status: "PENDING" },
      { ...change, status: "APPROVED" },
    ]);
    expect(await search.changes([platformId], lastEventId)).toMatchObject({ changes: [], more: false });
    expect((await read([platformId], found[0]?.id ?? "", 1)).found).toEqual(found.slice(1));
  });

  test("are those of the named platforms, in the order of their commits", async () => {
    const [one, two, three] = [await platform(), await platform(), await platform()];
    const from = await present();
    for (const platformId of [one, two, three, one]) await create(platformId, Math.random());
    const order = async (platforms: readonly string[] | "all", count: number) =>
      (await read(platforms, from, count)).found.map(({ platformId }) => platformId);
    expect(await order([one, two], 3)).toEqual([one, two, one]);
    expect(await order("all", 4)).toEqual([one, two, three, one]);
    expect((await search.changes([], from)).changes).toEqual([]);
  });

  test.each([["named"], ["all"]])("are returned in pages without gaps, of %s platforms", async (reach) => {
    const [one, two] = [await platform(), await platform()];
    const from = await present();
    await Promise.all(Array.from({ length: 115 }, (_, index) => create(index % 4 === 0 ? one : two, index)));
    const platforms = reach === "all" ? "all" : [one, two];
    await read(platforms, from, 115);
    const first = await search.changes(platforms, from);
    const second = await search.changes(platforms, first.lastEventId);
    expect([first.changes.length, first.more, second.changes.length, second.more]).toEqual([
      100,
      true,
      15,
      false,
    ]);
    expect(new Set([...first.changes, ...second.changes].map(({ id }) => id)).size).toBe(115);
  });

  test("wait for a transaction that may still add an earlier change, and miss none", async () => {
    const platformId = await platform();
    const record = await create(platformId);
    const from = (await read([platformId], "0-0", 1)).lastEventId;
    const late = new Client(urls.serviceUrl);
    await late.connect();
    onTestFinished(() => late.end());
    await late.query(`begin; set local cardbridge.platform = '${platformId}'`);
    await late.query(
      "insert into kyc_history (platform_id, record_id, source, resolution) values ($1, $2, 'event', 'unresolved')",
      [platformId, record.kycRecordId],
    );
    const second = await create(platformId, 2);
    const before = await search.changes([platformId], from);
    expect(before.changes).toEqual([]);
    await late.query("commit");
    const { found } = await read([platformId], before.lastEventId, 2);
    expect(found.map(({ kycRecordId }) => kycRecordId)).toEqual([record.kycRecordId, second.kycRecordId]);
  });

  test("are rejected for a position beyond the present", async () => {
    const forged = `${"9".repeat(18)}-0`;
    await expect(search.changes("all", forged)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: [], rule: "position-beyond-present" }] },
    });
  });
});
