import type { AttemptReport, KycRecord } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { kycAdmin, kycRecordsRepository } from "../../src/index.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { openDatabase } from "../support/open-database.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { kyc, database, platform, urls } = await makeWorld();
const admin = kycAdmin(database, { leaseSeconds: 30, keys, names: async () => [] });
const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
const sent: AttemptReport = {
  step: "send",
  outcome: "unknown",
  reason: "deadline",
  milliseconds: 1_500,
  by: "submission",
};
const asked: AttemptReport = { ...sent, step: "ask", by: "worker", milliseconds: 20 };

async function created() {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  return { platformId, record, id: record.kycRecordId };
}
type Created = Awaited<ReturnType<typeof created>>;

/** Leases the record as an operator does, and returns the attempt. */
async function leased({ record, id }: Created): Promise<KycRecord> {
  const by = { actor: "person:ada", requestId: null, address: null, operation: "records.refresh" };
  const lease = await admin.lease(id, { step: "ask" }, by);
  if (lease?.kind !== "leased") throw new Error("not leased");
  return { ...record, attempt: lease.attempt };
}

const numbersOf = async ({ id }: Created) =>
  (await admin.attempts(id))?.map(({ number, lastNumber, count }) => [number, lastNumber, count]);

test("an attempt is stored with its outcome, its start and its duration", async () => {
  const one = await created();
  expect(await admin.attempts(one.id)).toEqual([]);
  await kyc.reschedule(one.platformId, one.record, plan, sent);
  const second = await leased(one);
  const reply: AttemptReport = { ...asked, outcome: "answered", reason: null, by: "person:ada" };
  await kyc.storeVerdict(one.platformId, second, answered("pending_approval"), reply);
  // The same answer again changes nothing: it takes the other path of storeVerdict.
  const third = await leased(one);
  await kyc.storeVerdict(one.platformId, third, answered("pending_approval"), reply);

  const attempts = (await admin.attempts(one.id)) ?? [];
  expect(attempts).toEqual([
    {
      number: 1,
      lastNumber: 1,
      step: "send",
      outcome: "unknown",
      reason: "deadline",
      startedAt: expect.stringMatching(/Z$/),
      lastStartedAt: attempts[0]?.startedAt,
      milliseconds: 1_500,
      by: "submission",
      count: 1,
    },
    expect.objectContaining({ number: 2, lastNumber: 3, outcome: "answered", reason: null, count: 2 }),
  ]);
  expect(Date.parse(attempts[0]?.startedAt ?? "")).toBeLessThan(one.record.createdAt.getTime());
  expect(await admin.attempts("kyc_none")).toBeNull();
});

test("equal consecutive attempts are one entry; another step, outcome, reason or actor begins a new one", async () => {
  const one = await created();
  await kyc.reschedule(one.platformId, one.record, plan, sent);
  const changes: Partial<AttemptReport>[] = [
    {},
    { milliseconds: 99 },
    { reason: "status-503" },
    { reason: "status-503", outcome: "unsent" },
    { reason: "status-503", outcome: "unsent", by: "person:ada" },
    { reason: null, outcome: "not-found" },
    { reason: null, outcome: "not-found" },
  ];
  for (const change of changes)
    await kyc.reschedule(one.platformId, await leased(one), plan, { ...asked, ...change });
  expect(await numbersOf(one)).toEqual([
    [1, 1, 1],
    [2, 3, 2],
    [4, 4, 1],
    [5, 5, 1],
    [6, 6, 1],
    [7, 8, 2],
  ]);
  expect((await admin.attempts(one.id))?.[1]).toMatchObject({ milliseconds: 99 });
});

test("an attempt that lost its lease, or whose process ended, has no entry", async () => {
  const one = await created();
  const second = await leased({ ...one, record: await free(one) });
  await kyc.storeVerdict(one.platformId, one.record, answered("approved"), sent);
  await kyc.reschedule(one.platformId, one.record, plan, sent);
  expect(await admin.attempts(one.id)).toEqual([]);
  await kyc.reschedule(one.platformId, second, plan, asked);
  expect(await numbersOf(one)).toEqual([[2, 2, 1]]);
});

/** Ends the lease of a record without a report, as a process that stops does. */
async function free({ platformId, record }: Created): Promise<KycRecord> {
  await kyc.reschedule(platformId, record, plan);
  return record;
}

test("the first 5 and the last 45 entries remain", async () => {
  const one = await created();
  let attempt = one.record;
  for (let number = 1; number <= 60; number += 1) {
    const report = { ...asked, reason: number % 2 === 0 ? "deadline" : "status-503" };
    await kyc.reschedule(one.platformId, attempt, plan, report);
    attempt = await leased(one);
  }
  const numbers = (await numbersOf(one))?.map(([number]) => number);
  expect(numbers).toEqual([1, 2, 3, 4, 5, ...Array.from({ length: 45 }, (_, index) => index + 16)]);
});

test("storing an attempt takes no further round trip", async () => {
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  const proxied = openDatabase({ url: proxy.url, maxConnections: 1, onError: () => {} });
  const repository = kycRecordsRepository(proxied, { keys });
  try {
    const tripsOf = async (report?: AttemptReport) => {
      const platformId = await platform();
      const { record } = await repository.createOrReplay(platformId, aRequest());
      const before = proxy.roundTrips();
      await repository.reschedule(platformId, record, plan, report);
      const between = proxy.roundTrips();
      await repository.storeVerdict(platformId, record, answered("rejected"), report);
      return [between - before, proxy.roundTrips() - between];
    };
    await tripsOf();
    expect(await tripsOf(sent)).toEqual(await tripsOf());
  } finally {
    await proxied.close();
    await proxy.close();
  }
});
