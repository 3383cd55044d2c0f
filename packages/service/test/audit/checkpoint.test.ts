import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkpointAudit, pendingAudit } from "../../src/audit/checkpoint.ts";
import type { Database } from "../../src/database.ts";
import { aCaller, aRequest, makeWorld, verifyAll } from "../support/world.ts";

const { admin, kyc, audit, database, platform, ports, checkpointAll, urls } = await makeWorld();
const verify = (platformId: string) => verifyAll(audit, platformId);

async function platformWith(entries: number): Promise<string> {
  const platformId = await platform();
  for (let number = 1; number <= entries; number += 1) await append(platformId, number);
  return platformId;
}

function append(platformId: string, number: number): Promise<void> {
  return audit.append(platformId, {
    ...aCaller,
    operation: "kyc.get",
    subject: `kyc_${number}`,
    outcome: "done",
  });
}

/** Connects as the service's role and opens a transaction that has written an entry. */
async function openTransaction(platformId: string) {
  const client = new Client(urls.serviceUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
  const insert = "insert into audit_entries (platform_id, actor, operation, subject, outcome)";
  await client.query(`${insert} values ('${platformId}', 'key_1', 'kyc.get', 'kyc_late', 'done')`);
  return client;
}

describe("a checkpoint", () => {
  test("covers every entry by exactly one checkpoint, in order, up to a limit", async () => {
    const platformId = await platformWith(7);
    const checkpoints = await checkpointAll(platformId, 3);
    expect(checkpoints.map(({ number, count }) => [number, count])).toEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ]);
    expect(await audit.checkpoint(platformId, 3)).toBeNull();
    const { number, hash } = checkpoints[2] ?? {};
    const report = {
      checkpoints: 3,
      entries: 7,
      anchor: null,
      pending: 0,
      last: { number, hash },
      problems: [],
      batches: 1,
    };
    expect(await verify(platformId)).toEqual(report);
  });

  test("covers one platform, and lists the platforms with pending entries", async () => {
    const [one, two] = [await platformWith(2), await platformWith(1)];
    const pending = async () => (await pendingAudit(ports)).map(({ platformId }) => platformId);
    expect(await pending()).toEqual(expect.arrayContaining([one, two]));
    await checkpointAll(one);
    expect(await pending()).toContain(two);
    expect(await pending()).not.toContain(one);
    expect(await verify(two)).toMatchObject({ checkpoints: 0, pending: 1, problems: [] });
    await append(one, 3);
    const again = (await pendingAudit(ports)).find(({ platformId }) => platformId === one);
    expect(again?.oldestSeconds).toBeGreaterThanOrEqual(0);
  });

  test("waits for a transaction that may still add an earlier entry, and then covers that entry", async () => {
    const platformId = await platform();
    const late = await openTransaction(platformId);
    await append(platformId, 1);
    expect(await audit.checkpoint(platformId, 10)).toBeNull();
    await late.query("commit");
    await checkpointAll(platformId);
    const entries = (await audit.list([platformId], { limit: 10 })).entries;
    expect(entries.map(({ subject }) => subject)).toEqual(["kyc_1", "kyc_late"]);
    expect(await verify(platformId)).toMatchObject({ entries: 2, pending: 0, problems: [] });
  });

  test("continues when such a transaction is rolled back", async () => {
    const platformId = await platform();
    const late = await openTransaction(platformId);
    await append(platformId, 1);
    await late.query("rollback");
    expect(await checkpointAll(platformId)).toMatchObject([{ number: 1, count: 1 }]);
  });

  test("creates one chain when processes run concurrently", async () => {
    const platformId = await platformWith(12);
    const others = Array.from({ length: 4 }, () => checkpointAll(platformId, 2));
    const checkpoints = (await Promise.all(others)).flat();
    expect(checkpoints.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await verify(platformId)).toMatchObject({ checkpoints: 6, entries: 12, pending: 0, problems: [] });
  });

  test("covers all submissions that run at the same time", async () => {
    const platformId = await platform();
    const submissions = Array.from({ length: 60 }, (_, index) =>
      kyc.createOrReplay(platformId, aRequest({ memberId: `m-${index}`, email: `${index}@example.com` })),
    );
    const checkpointing = (async () => {
      for (let times = 0; times < 40; times += 1) await audit.checkpoint(platformId, 7);
    })();
    await Promise.all([...submissions, checkpointing]);
    await checkpointAll(platformId);
    expect(await verify(platformId)).toMatchObject({ entries: 60, pending: 0, problems: [] });
  });
});

describe("the pass", () => {
  /** Runs the pass, on a database in which the work on these platforms fails or finds nothing. */
  async function pass(changes: Partial<Database> = {}) {
    const observed: unknown[][] = [];
    const observer = { observe: (...event: unknown[]) => void observed.push(event) };
    const more = await checkpointAudit({ ...ports, observer, database: { ...database, ...changes } });
    return { more, observed };
  }
  /** A new platform alone has pending entries, in one transaction. From the 999th on, the command line ran them. */
  async function pendingAlone(entries: number): Promise<string> {
    for (const { platformId } of await pendingAudit(ports)) await checkpointAll(platformId);
    const platformId = await platform();
    await admin(
      `insert into audit_entries (platform_id, actor, operation, outcome)
       select $1, case when n > 998 then 'claim:ada' else 'key_1' end, 'keys.create',
         case n when 1000 then 'KEY_NOT_FOUND' else 'done' end
       from generate_series(1, $2::int) as n`,
      [platformId, entries],
    );
    return platformId;
  }

  test("observes each checkpoint, and continues after a failure and after a platform that waits", async () => {
    const one = await pendingAlone(3);
    const [lost, waiting, four] = [await platformWith(1), await platformWith(1), await platformWith(1)];
    const breaking = async (platformId: string, work: never) => {
      if (platformId === lost) throw Object.assign(new Error("It broke."), { code: "57P01" });
      return platformId === waiting ? null : database.asPlatform(platformId, work);
    };
    const events = new Map<unknown, unknown>();
    // Transactions of other tests on the shared server delay the checkpoints briefly.
    const created = async () => {
      const { more, observed } = await pass({ asPlatform: breaking as never });
      expect(more).toBe(false);
      for (const [event, labels] of observed) events.set(Object(labels).platformId, [event, labels]);
      return [one, four].every((platformId) => events.has(platformId));
    };
    await expect.poll(created).toBe(true);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const labels = { checkpoint: "1", hash, root: hash };
    expect(Object.fromEntries(events as Map<string, unknown>)).toEqual({
      [one]: ["audit_checkpoint_created", { platformId: one, ...labels }],
      [lost]: ["audit_checkpoint_failed", { platformId: lost, reason: "57P01" }],
      [four]: ["audit_checkpoint_created", { platformId: four, ...labels }],
    });
  });

  test("observes what the command line did, and reports more work after a full checkpoint", async () => {
    const platformId = await pendingAlone(1_001);
    let last: Awaited<ReturnType<typeof pass>> | undefined;
    const created = async () => {
      last = await pass();
      return last.observed.length;
    };
    await expect.poll(created).toBeGreaterThan(0);
    const act = ["command_line_act", { platformId, operation: "keys.create" }];
    expect(last).toEqual({ more: true, observed: [expect.anything(), act] });
  });

  test("observes a failed query and does not throw", async () => {
    const withoutPlatform = () =>
      Promise.reject(Object.assign(new Error("It broke."), { code: "ECONNREFUSED" }));
    expect(await pass({ withoutPlatform })).toEqual({
      more: false,
      observed: [["audit_checkpoint_failed", { reason: "ECONNREFUSED" }]],
    });
  });
});
