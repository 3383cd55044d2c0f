import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { PipelinedCommit } from "../../src/database/statements.ts";
import type { Database } from "../../src/database.ts";
import { listKycChanges } from "../../src/kyc/list-changes.ts";
import { listRecordChanges } from "../../src/records/list-changes.ts";
import { aPerson, callOf, operatorCall } from "../support/calls.ts";
import { answered, makeWorld, someone } from "../support/world.ts";

const { kyc, platform, ports, submitted, urls, database } = await makeWorld();

const changesOf = async (platformIds?: string[], lastEventId?: string, of = ports) =>
  (await listRecordChanges.execute(of, operatorCall, { platformIds, lastEventId })).data;

/** Both readers of changes: of a platform, and of an operator's platforms. */
const readers = (database: Database) => {
  const of = { ...ports, database };
  return {
    async platform(platformId: string, lastEventId?: string) {
      const call = callOf("platform", { platformId, scopes: ["kyc:read"] });
      return (await listKycChanges.execute(of, call, { lastEventId })).data;
    },
    "named platforms": (id: string, from?: string) => changesOf([id], from, of),
    "all platforms": (_id: string, from?: string) => changesOf(undefined, from, of),
  };
};
type Name = keyof ReturnType<typeof readers>;
const names = ["platform", "named platforms", "all platforms"] as const;

const create = (platformId: string, member: number) => submitted(someone(member), platformId);

/** Reads until `count` changes are found. Transactions of other tests on the server delay them briefly. */
async function read(name: Name, platformId: string, from: string, count: number) {
  const found = [];
  let lastEventId = from;
  while (found.length < count) {
    const page = await readers(database)[name](platformId, lastEventId);
    found.push(...page.changes);
    lastEventId = page.lastEventId;
  }
  return { found, lastEventId };
}

const idOf = (change: { kycRecordId: string } | { data: { kycRecordId: string } }) =>
  "data" in change ? change.data.kycRecordId : change.kycRecordId;

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
  const older = (result: unknown) => {
    if (!(result instanceof PipelinedCommit)) return result;
    const statements = result.statements.then((results) => {
      const [first, ...rest] = results as unknown[];
      const isPresent = Array.isArray(first) && "txid" in (first[0] ?? {});
      return [isPresent ? [{ txid }] : first, ...rest];
    });
    return new PipelinedCommit(statements, result.finish);
  };
  return {
    ...database,
    asPlatform: (id, work) => database.asPlatform(id, async (tx) => older(await work(tx)) as never),
    asOperators: (ids, work) => database.asOperators(ids, async (tx) => older(await work(tx)) as never),
  };
}

describe.each(names)("the changes of %s after a position", (name) => {
  const changes = readers(database)[name];
  const present = async (platformId: string) => (await changes(platformId)).lastEventId;
  const readAll = (platformId: string, from: string, count: number) => read(name, platformId, from, count);

  test("are not repeated when a commit came between the two statements of a page", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    await create(platformId, 90);
    const { found } = await readAll(platformId, from, 1);
    const [txid = ""] = from.split("-");
    const page = await readers(withOlderPresent(txid))[name](platformId, from);
    expect(page.changes).toEqual(found);
    expect((await changes(platformId, page.lastEventId)).changes).toEqual([]);
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
        await expect(changes(platformId, forged)).rejects.toMatchObject({
          code: "INVALID_INPUT",
          details: { violations: [{ path: [], rule: "position-beyond-present" }] },
        });
      }
    });
  });

  test("are all read exactly once while other changes commit, in pages without gaps", async () => {
    const platformId = await platform();
    const from = await present(platformId);
    const creating = Promise.all(Array.from({ length: 115 }, (_, index) => create(platformId, index)));
    const [{ found }, created] = await Promise.all([readAll(platformId, from, 115), creating]);
    const ids = created.map(({ kycRecordId }) => kycRecordId).sort();
    expect(found.map(idOf).sort()).toEqual(ids);
    const first = await changes(platformId, from);
    const second = await changes(platformId, first.lastEventId);
    expect([first.changes.length, first.more]).toEqual([100, true]);
    expect([second.changes.length, second.more]).toEqual([15, false]);
    expect([...first.changes, ...second.changes].map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  });

  test.each(["commit", "rollback"])(
    "wait for a transaction that may still add one, until its %s",
    async (end) => {
      const platformId = await platform();
      const start = await present(platformId);
      const { kycRecordId: first } = await create(platformId, 1);
      const from = (await readAll(platformId, start, 1)).lastEventId;
      const late = await openChange(platformId, first);
      const { kycRecordId: second } = await create(platformId, 2);
      const before = await changes(platformId, from);
      expect(before.changes).toEqual([]);
      await late.query(end);
      const expected = end === "commit" ? [first, second] : [second];
      const { found, lastEventId } = await readAll(platformId, before.lastEventId, expected.length);
      expect(found.map(idOf)).toEqual(expected);
      expect((await changes(platformId, lastEventId)).changes).toEqual([]);
    },
  );
});

test("a platform's changes are its own, each with the state of a record in the format of webhooks", async () => {
  const platformId = await platform();
  const from = (await readers(database).platform(platformId)).lastEventId;
  await submitted();
  const { record, kycRecordId, externalUserId } = await create(platformId, 1);
  const explanation = { reasons: [{ code: "UNDER_AGE" as const, field: null }], final: true };
  await kyc.storeVerdict(platformId, record, { ...answered("rejected", "acct_1"), explanation });

  const { found } = await read("platform", platformId, from, 2);
  const ids = { kycRecordId, externalUserId };
  const accepted = { sequence: 1, code: "KYC_ACCEPTED", status: "PENDING", subStatus: null, reasons: [] };
  const rejected = {
    code: "KYC_SUBMITTED",
    status: "REJECTED",
    subStatus: "rejected",
    reasons: ["UNDER_AGE"],
  };
  expect(found).toMatchObject([
    { type: "kyc.updated", data: { ...ids, ...accepted } },
    { type: "kyc.updated", data: { ...ids, ...rejected, sequence: 2, cardAccountId: "acct_1" } },
  ]);
});

test("an operator's changes name the record, its platform and the status that callers see, in order", async () => {
  const [one, two, three] = [await platform(), await platform(), await platform()];
  const from = (await changesOf()).lastEventId;
  const { record, kycRecordId, externalUserId } = await create(one, 1);
  await create(two, 1);
  await create(three, 1);
  await kyc.storeVerdict(one, record, answered("approved", "acct_1"));
  await read("all platforms", one, from, 4);
  const statuses = async (platforms?: string[]) =>
    (await changesOf(platforms, from)).changes.map(({ platformId, status }) => [platformId, status]);
  const [first, last] = [
    [one, "PENDING"],
    [one, "APPROVED"],
  ];
  expect(await statuses([one, two])).toEqual([first, [two, "PENDING"], last]);
  expect(await statuses()).toEqual([first, [two, "PENDING"], [three, "PENDING"], last]);
  const nobody = { ...operatorCall, person: aPerson({ platforms: [] }) };
  const none = await listRecordChanges.execute(ports, nobody, { lastEventId: from });
  expect(none.data.changes).toEqual([]);
  expect((await changesOf([one], from)).changes[0]).toEqual({
    id: expect.any(String),
    timestamp: expect.any(String),
    platformId: one,
    kycRecordId,
    externalUserId,
    status: "PENDING",
  });
});
