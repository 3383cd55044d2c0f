import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { type Database, kycChangeReader } from "../../src/index.ts";
import { PipelinedCommit } from "../../src/transaction.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const changes = kycChangeReader(database, "test");

const create = (platformId: string, member: number) =>
  kyc.createOrReplay(platformId, aRequest({ memberId: `m-${member}`, email: `${member}@example.com` }));

async function present(platformId: string): Promise<string> {
  return (await changes.after(platformId)).lastEventId;
}

/** Reads until `count` changes are found. Transactions of other tests on the server delay them briefly. */
async function read(platformId: string, from: string, count: number) {
  const found = [];
  let lastEventId = from;
  while (found.length < count) {
    const page = await changes.after(platformId, lastEventId);
    found.push(...page.changes);
    lastEventId = page.lastEventId;
  }
  return { found, lastEventId };
}

/** Connects as the service's role and opens a transaction that has added a change of a record. */
async function openChange(platformId: string, kycRecordId: string) {
  const client = new Client(urls.serviceUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
  await client.query(
    "insert into kyc_history (platform_id, record_id, source, resolution) values ($1, $2, 'event', 'unresolved')",
    [platformId, kycRecordId],
  );
  return client;
}

/** A database where a commit came between two statements: the first statement returns an older transaction id. */
function withOlderPresent(txid: string): Database {
  return {
    ...database,
    asPlatform: (platformId, work) =>
      database.asPlatform(platformId, async (tx) => {
        const result = await work(tx);
        if (!(result instanceof PipelinedCommit)) return result;
        const older = result.statements.then((results) => [[{ txid }], ...(results as unknown[]).slice(1)]);
        return new PipelinedCommit(older, result.finish);
      }),
  };
}

describe("changes after a position", () => {
  test("are not repeated when a commit came between the two statements of a page", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    await create(platformId, 90);
    const { found } = await read(platformId, from, 1);
    const [txid = ""] = from.split("-");
    const page = await kycChangeReader(withOlderPresent(txid), "test").after(platformId, from);
    expect(page.changes).toEqual(found);
    expect((await changes.after(platformId, page.lastEventId)).changes).toEqual([]);
  });

  test("contain each state of a record in order, in the format of webhooks", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    const { record } = await create(platformId, 1);
    const explanation = { reasons: [{ code: "UNDER_AGE" as const, field: null }], final: true };
    const rejected = { ...answered("rejected", "acct_1"), explanation };
    await kyc.storeVerdict(platformId, record, rejected);

    const { kycRecordId, externalUserId } = record;
    const { found, lastEventId } = await read(platformId, from, 2);
    const ids = { kycRecordId, externalUserId };
    expect(found).toMatchObject([
      {
        type: "kyc.updated",
        data: { ...ids, sequence: 1, code: "KYC_ACCEPTED", status: "PENDING", subStatus: null, reasons: [] },
      },
      {
        type: "kyc.updated",
        data: {
          ...ids,
          sequence: 2,
          code: "KYC_SUBMITTED",
          status: "REJECTED",
          subStatus: "rejected",
          cardAccountId: "acct_1",
          reasons: ["UNDER_AGE"],
        },
      },
    ]);
    expect(await changes.after(platformId, lastEventId)).toMatchObject({ changes: [], more: false });
    expect((await read(platformId, found[0]?.id ?? "", 1)).found).toEqual(found.slice(1));
  });

  test("are rejected for a position beyond the present, which no reader can have reached", async () => {
    const platformId = await platform();
    await withConnection(urls.adminUrl, async (client) => {
      await client.query("begin");
      // The present does not move while the oldest transaction of the server is open.
      const { rows } = await client.query("select pg_current_xact_id()::text as txid");
      const { txid } = rows[0];
      await create(platformId, 1);
      await expect.poll(() => present(platformId)).toBe(`${txid}-0`);
      for (const forged of [`${txid}-1`, `${BigInt(txid) + 1_000_000n}-0`, `${"9".repeat(18)}-0`]) {
        await expect(changes.after(platformId, forged)).rejects.toMatchObject({
          code: "INVALID_INPUT",
          details: { violations: [{ path: [], rule: "position-beyond-present" }] },
        });
      }
    });
  });

  test("belong to the platform only", async () => {
    const [one, two] = [await platform(), await platform()];
    const from = await present(two);
    await create(one, 1);
    await create(two, 1);
    expect((await read(two, from, 1)).found).toHaveLength(1);
    expect((await changes.after(await platform(), from)).changes).toEqual([]);
  });

  test("are returned in pages without gaps", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    await Promise.all(Array.from({ length: 230 }, (_, index) => create(platformId, index)));
    await read(platformId, from, 230);
    const pages = [];
    let page = await changes.after(platformId, from);
    for (; page.more; page = await changes.after(platformId, page.lastEventId)) pages.push(page);
    pages.push(page);
    expect(pages.map(({ changes }) => changes.length)).toEqual([100, 100, 30]);
    const ids = pages.flatMap(({ changes }) => changes.map(({ id }) => id));
    expect(new Set(ids).size).toBe(230);
  });

  test("wait for a transaction that may still add an earlier change, and miss none", async () => {
    const platformId = await platform();
    const { record } = await create(platformId, 1);
    const from = (await read(platformId, "0-0", 1)).lastEventId;
    const late = await openChange(platformId, record.kycRecordId);
    await create(platformId, 2);
    const before = await changes.after(platformId, from);
    expect(before.changes).toEqual([]);
    await late.query("commit");
    const { found } = await read(platformId, before.lastEventId, 2);
    expect(found.map(({ data }) => data.sequence)).toEqual([2, 1]);
  });

  test("continue when that transaction is rolled back, without its change", async () => {
    const platformId = await platform();
    const { record } = await create(platformId, 1);
    const from = (await read(platformId, "0-0", 1)).lastEventId;
    const late = await openChange(platformId, record.kycRecordId);
    await create(platformId, 2);
    await late.query("rollback");
    const { found, lastEventId } = await read(platformId, from, 1);
    expect(found.map(({ data }) => data.sequence)).toEqual([1]);
    expect((await changes.after(platformId, lastEventId)).changes).toEqual([]);
  });

  test("are all read exactly once while other changes commit", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    const results = Promise.all(Array.from({ length: 120 }, (_, index) => create(platformId, index)));
    const [{ found }] = await Promise.all([read(platformId, from, 120), results]);
    expect(new Set(found.map(({ data }) => data.kycRecordId)).size).toBe(120);
  });
});
