import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const { rowsOf } = reader(urls.adminUrl);

async function created(changes = {}) {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest(changes));
  return { platformId, record };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client(urls.adminUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}
const makeAllDue = () =>
  asAdmin("update kyc_records set due_at = clock_timestamp() where due_at is not null");
const makeNoneDue = () => asAdmin("update kyc_records set due_at = 'infinity' where due_at is not null");

describe("a due record", () => {
  test("is not due during the lease of its first attempt, and is due after it", async () => {
    await makeNoneDue();
    const { platformId, record } = await created();
    expect(await kyc.leaseDue(10)).toEqual([]);
    await asAdmin(`update kyc_records set due_at = due_at - interval '30 seconds',
      lease_until = lease_until - interval '30 seconds' where id = '${record.kycRecordId}'`);
    expect(await kyc.leaseDue(10)).toEqual([{ platformId, kycRecordId: record.kycRecordId, attempt: 2 }]);
  });

  test("is leased with a new attempt that queries the provider first, because the lost attempt may have sent it", async () => {
    await makeNoneDue();
    const { platformId, record } = await created();
    await asAdmin(`update kyc_records set due_at = clock_timestamp() where id = '${record.kycRecordId}'`);
    const [leased, ...others] = await kyc.leaseDue(10);
    expect(others).toEqual([]);
    expect(leased).toEqual({ platformId, kycRecordId: record.kycRecordId, attempt: 2 });
    const loaded = await kyc.loadAttempt(platformId, { kycRecordId: record.kycRecordId, attempt: 2 });
    expect(loaded).toEqual({
      record: { ...record, attempt: 2 },
      step: "ask",
      notFound: 0,
      traceparent: null,
    });
    expect(await kyc.loadAttempt(platformId, record)).toBeNull();
    expect(
      await kyc.loadAttempt(await platform(), { kycRecordId: record.kycRecordId, attempt: 2 }),
    ).toBeNull();
    expect(await kyc.leaseDue(10)).toEqual([]);
  });

  test("is leased by one of many concurrent callers", async () => {
    await makeNoneDue();
    for (let i = 0; i < 30; i += 1) await created();
    await makeAllDue();
    const batches = await Promise.all(Array.from({ length: 8 }, () => kyc.leaseDue(7)));
    const ids = batches.flat().map(({ kycRecordId }) => kycRecordId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  test("is leased before other records if it is unresolved", async () => {
    await makeNoneDue();
    const tracked = await created();
    await kyc.storeVerdict(tracked.platformId, tracked.record, answered("pending_approval"));
    const unresolved = await created();
    await asAdmin(
      `update kyc_records set due_at = clock_timestamp() - interval '1 hour' where id = '${tracked.record.kycRecordId}'`,
    );
    await asAdmin(
      `update kyc_records set due_at = clock_timestamp() where id = '${unresolved.record.kycRecordId}'`,
    );
    expect(await kyc.leaseDue(1)).toMatchObject([{ kycRecordId: unresolved.record.kycRecordId }]);
    expect(await kyc.leaseDue(1)).toMatchObject([{ kycRecordId: tracked.record.kycRecordId }]);
  });
});

describe("an attempt without an answer", () => {
  const plan = { step: "send", notFound: 2, delayMs: 60_000 } as const;

  test("is rescheduled, and the next attempt starts as planned", async () => {
    await makeNoneDue();
    const { platformId, record } = await created();
    await kyc.reschedule(platformId, record, plan);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({
      resolution: "unresolved",
      step: "send",
      not_found: 2,
      lease_until: null,
      needs_attention_since: null,
    });
    await asAdmin(`update kyc_records set due_at = clock_timestamp() where id = '${record.kycRecordId}'`);
    await kyc.leaseDue(10);
    expect(await kyc.loadAttempt(platformId, { ...record, attempt: 2 })).toEqual({
      record: { ...record, attempt: 2 },
      step: "send",
      notFound: 2,
      traceparent: null,
      submission: aRequest().submission,
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("changes nothing when it no longer owns the record", async () => {
    const { platformId, record } = await created();
    await kyc.reschedule(platformId, { ...record, attempt: 7 }, plan);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ not_found: 0 });
    expect(row?.lease_until).toBeInstanceOf(Date);
  });

  test("marks a record that is too old as needing attention, and never drops it", async () => {
    const { platformId, record } = await created();
    const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });
    await impatient.reschedule(platformId, record, plan);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "unresolved", due_at: null });
    expect(row?.needs_attention_since).toBeInstanceOf(Date);
  });

  test("marks a young record as needing attention if its plan says so", async () => {
    const { platformId, record } = await created();
    await kyc.reschedule(platformId, record, { ...plan, needsAttention: true });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "unresolved", due_at: null, lease_until: null });
    expect(row?.needs_attention_since).toBeInstanceOf(Date);
  });

  test("never marks a tracked record as needing attention", async () => {
    const { platformId, record } = await created();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });
    await impatient.reschedule(platformId, record, { ...plan, needsAttention: true });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "answered", needs_attention_since: null });
    expect(row?.due_at).toBeInstanceOf(Date);
  });
});
