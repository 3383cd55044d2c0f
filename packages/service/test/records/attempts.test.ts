import type { AttemptReport, KycRecord } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { listRecordAttempts } from "../../src/records/attempts.ts";
import { codeOf, operatorCall } from "../support/calls.ts";
import { answered, makeWorld, type Submitted } from "../support/world.ts";

const { kyc, person, ports, records, submitted } = await makeWorld();
const ada = await person({ name: "Ada" });
const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
const sent: AttemptReport = {
  step: "send",
  outcome: "unknown",
  reason: "deadline",
  milliseconds: 1_500,
  by: "submission",
};
const asked: AttemptReport = { ...sent, step: "ask", by: "worker", milliseconds: 20 };

/** Leases the record as an operator does, and returns the attempt. */
async function leased({ record, kycRecordId }: Submitted): Promise<KycRecord> {
  return { ...record, ...(await records.lease(kycRecordId, { step: "ask" })) };
}

const numbersOf = async ({ kycRecordId }: Submitted) =>
  (await records.attempts(kycRecordId)).map(({ number, lastNumber, count }) => [number, lastNumber, count]);

test("an attempt is stored with its outcome, its start and its duration", async () => {
  const one = await submitted();
  const { platformId, record, kycRecordId } = one;
  expect(await records.attempts(kycRecordId)).toEqual([]);
  await kyc.reschedule(platformId, record, plan, sent);
  const reply: AttemptReport = { ...asked, outcome: "answered", reason: null, by: `${ada}/key_1` };
  // The same answer again changes nothing: it takes the other path of storeVerdict.
  for (let times = 0; times < 2; times += 1)
    await kyc.storeVerdict(platformId, await leased(one), answered("pending_approval"), reply);

  const { data } = await listRecordAttempts.execute(ports, operatorCall, { kycRecordId });
  const { attempts, persons } = data;
  expect(persons).toEqual([{ personId: ada, name: "Ada" }]);
  expect(attempts).toEqual([
    {
      ...sent,
      words: "the provider did not answer in time",
      number: 1,
      lastNumber: 1,
      startedAt: expect.stringMatching(/Z$/),
      lastStartedAt: attempts[0]?.startedAt,
      count: 1,
    },
    expect.objectContaining({ number: 2, lastNumber: 3, outcome: "answered", reason: null, count: 2 }),
  ]);
  expect(Date.parse(attempts[0]?.startedAt ?? "")).toBeLessThan(record.createdAt.getTime());
  const unknown = listRecordAttempts.execute(ports, operatorCall, { kycRecordId: "kyc_none" });
  expect(await codeOf(unknown)).toBe("KYC_RECORD_NOT_FOUND");
});

test("equal consecutive attempts are one entry; another step, outcome, reason or actor begins a new one", async () => {
  const one = await submitted();
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
  expect((await records.attempts(one.kycRecordId))[1]).toMatchObject({ milliseconds: 99 });
});

test("an attempt that lost its lease, or whose process ended, has no entry", async () => {
  const one = await submitted();
  // Without a report, as a process that stops.
  await kyc.reschedule(one.platformId, one.record, plan);
  const second = await leased(one);
  await kyc.storeVerdict(one.platformId, one.record, answered("approved"), sent);
  await kyc.reschedule(one.platformId, one.record, plan, sent);
  expect(await records.attempts(one.kycRecordId)).toEqual([]);
  await kyc.reschedule(one.platformId, second, plan, asked);
  expect(await numbersOf(one)).toEqual([[2, 2, 1]]);
});

test("the first 5 and the last 45 entries remain", async () => {
  const one = await submitted();
  let attempt = one.record;
  for (let number = 1; number <= 60; number += 1) {
    const report = { ...asked, reason: number % 2 === 0 ? "deadline" : "status-503" };
    await kyc.reschedule(one.platformId, attempt, plan, report);
    attempt = await leased(one);
  }
  const numbers = (await numbersOf(one)).map(([number]) => number);
  expect(numbers).toEqual([1, 2, 3, 4, 5, ...Array.from({ length: 45 }, (_, index) => index + 16)]);
});
