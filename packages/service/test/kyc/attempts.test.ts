import { describe, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/database.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { admin, database, kyc, platform, rowsOf, set, submitted } = await makeWorld();

const makeAllDue = () => admin("update kyc_records set due_at = clock_timestamp() where due_at is not null");
const makeNoneDue = () => admin("update kyc_records set due_at = 'infinity' where due_at is not null");

describe("a due record", () => {
  test("is not due during the lease of its first attempt, and is due after it", async () => {
    await makeNoneDue();
    const { platformId, kycRecordId } = await submitted();
    expect(await kyc.leaseDue(10)).toEqual([]);
    const seconds = "interval '30 seconds'";
    await set(kycRecordId, `due_at = due_at - ${seconds}, lease_until = lease_until - ${seconds}`);
    expect(await kyc.leaseDue(10)).toEqual([{ platformId, kycRecordId, attempt: 2 }]);
  });

  test("may be sent while the lease covers the longest call, of 10 of 30 seconds", async () => {
    const [platformId, before] = [await platform(), performance.now()];
    const created = await kyc.createOrReplay(platformId, aRequest());
    const { attempt, record } = created as Extract<typeof created, { kind: "new" }>;
    const send = async () => {
      const loaded = await kyc.loadAttempt(platformId, record);
      return loaded?.step === "send" ? loaded.sendBefore - performance.now() : undefined;
    };
    expect(attempt).toMatchObject({ step: "send" });
    const { sendBefore } = attempt as Extract<typeof attempt, { step: "send" }>;
    expect(sendBefore - before).toBeGreaterThanOrEqual(20_000);
    expect(sendBefore - performance.now()).toBeLessThan(20_000);
    expect(await send()).toBeLessThan(20_000);
    await set(record.kycRecordId, "lease_until = lease_until + interval '1 hour'");
    expect(await send()).toBeGreaterThan(3_000_000);
    await set(record.kycRecordId, "lease_until = clock_timestamp() + interval '10 seconds'");
    expect(await send()).toBeLessThan(0);
  });

  test("is leased with a new attempt that queries the provider first, because the lost attempt may have sent it", async () => {
    await makeNoneDue();
    const { platformId, record, kycRecordId } = await submitted();
    await set(kycRecordId, "due_at = clock_timestamp()");
    const second = { kycRecordId, attempt: 2 };
    expect(await kyc.leaseDue(10)).toEqual([{ platformId, ...second }]);
    const asked = { record: { ...record, attempt: 2 }, step: "ask", notFound: 0, traceparent: null };
    expect(await kyc.loadAttempt(platformId, second)).toEqual(asked);
    expect(await kyc.loadAttempt(platformId, record)).toBeNull();
    expect(await kyc.loadAttempt(await platform(), second)).toBeNull();
    expect(await kyc.leaseDue(10)).toEqual([]);
  });

  test("that is answered, and that version 0.2.0 stored to be sent, is asked about", async () => {
    await makeNoneDue();
    const { platformId, record, kycRecordId } = await submitted();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    await set(kycRecordId, "step = 'send', due_at = clock_timestamp()");
    await kyc.leaseDue(10);
    const loaded = await kyc.loadAttempt(platformId, { ...record, attempt: 2 });
    expect(loaded).toMatchObject({ step: "ask", record: { resolution: "answered" } });
  });

  test("is leased by one of many concurrent callers", async () => {
    await makeNoneDue();
    for (let i = 0; i < 30; i += 1) await submitted();
    await makeAllDue();
    const batches = await Promise.all(Array.from({ length: 8 }, () => kyc.leaseDue(7)));
    const ids = batches.flat().map(({ kycRecordId }) => kycRecordId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  test("is leased before other records if it is unresolved", async () => {
    await makeNoneDue();
    const tracked = await submitted();
    await kyc.storeVerdict(tracked.platformId, tracked.record, answered("pending_approval"));
    const unresolved = await submitted();
    await set(tracked.kycRecordId, "due_at = clock_timestamp() - interval '1 hour'");
    await set(unresolved.kycRecordId, "due_at = clock_timestamp()");
    expect(await kyc.leaseDue(1)).toMatchObject([{ kycRecordId: unresolved.kycRecordId }]);
    expect(await kyc.leaseDue(1)).toMatchObject([{ kycRecordId: tracked.kycRecordId }]);
  });
});

describe("an attempt without an answer", () => {
  const plan = { step: "send", notFound: 2, delayMs: 60_000 } as const;
  const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });

  test("is rescheduled, and the next attempt starts as planned", async () => {
    await makeNoneDue();
    const { platformId, record, kycRecordId } = await submitted();
    await kyc.reschedule(platformId, record, plan);
    const waiting = { resolution: "unresolved", lease_until: null, needs_attention_since: null };
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { ...waiting, step: "send", not_found: 2 },
    ]);
    const due = "due_at - created_at between interval '60 seconds' and interval '1 hour' as later";
    expect(await admin(`select ${due} from kyc_records where id = $1`, [kycRecordId])).toEqual([
      { later: true },
    ]);
    await set(kycRecordId, "due_at = clock_timestamp()");
    await kyc.leaseDue(10);
    expect(await kyc.loadAttempt(platformId, { ...record, attempt: 2 })).toEqual({
      record: { ...record, attempt: 2 },
      step: "send",
      notFound: 2,
      traceparent: null,
      submission: aRequest().submission,
      sendBefore: expect.any(Number),
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("changes nothing when it no longer owns the record", async () => {
    const { platformId, record } = await submitted();
    await kyc.reschedule(platformId, { ...record, attempt: 7 }, plan);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ not_found: 0, lease_until: expect.any(Date) });
  });

  test.each([
    { name: "too old", repository: impatient, planned: plan },
    {
      name: "young, but its plan says so",
      repository: kyc,
      planned: { ...plan, needsAttention: true } as const,
    },
  ])("marks a record as needing attention that is $name, and never drops it", async (example) => {
    const { platformId, record } = await submitted();
    await example.repository.reschedule(platformId, record, example.planned);
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { resolution: "unresolved", due_at: null, lease_until: null, needs_attention_since: expect.any(Date) },
    ]);
  });

  test("never marks a tracked record as needing attention", async () => {
    const { platformId, record } = await submitted();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    await impatient.reschedule(platformId, record, { ...plan, needsAttention: true });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { resolution: "answered", due_at: expect.any(Date), needs_attention_since: null },
    ]);
  });
});
