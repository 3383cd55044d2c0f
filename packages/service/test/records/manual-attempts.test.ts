import type { AttemptId, KycRecord, ProviderReply } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { refreshRecord } from "../../src/records/refresh.ts";
import { resendRecord } from "../../src/records/resend.ts";
import {
  approved,
  attentionRecord,
  needingAttention,
  retryPlan,
  unknown,
} from "../support/attention-record.ts";
import { codeOf, operatorCall } from "../support/calls.ts";
import { aCaller, answered, aSubmission, makeWorld, someone } from "../support/world.ts";

const world = await makeWorld();
const { audit, kyc, records, rowsOf, set, submitted } = world;
const ask = { step: "ask" } as const;
const notFound: ProviderReply = { outcome: "not-found" };
const refused: ProviderReply = { outcome: "refused" };

type Attention = Awaited<ReturnType<typeof attentionRecord>>;
const asked = ({ kycRecordId }: Attention) => [`asked for ${kycRecordId}`];
const run = (operation: typeof refreshRecord, { ports, kycRecordId }: Attention) =>
  operation.execute(ports, operatorCall, { kycRecordId });
const conflict = (message: string | RegExp) => ({
  code: "KYC_RECORD_CONFLICT",
  details: { violations: [{ message: expect.stringMatching(message) }] },
});
const theRow = async (platformId: string) => (await rowsOf("kyc_records", platformId))[0];
const dueIds = async () => (await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId);
/** The audited leases, newest first. */
const leasesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.filter(({ operation }) =>
    operation.startsWith("records."),
  );
/** A record whose first attempt got no answer and which waits for its next attempt. */
async function rescheduled() {
  const due = await submitted(someone(Math.random()));
  await kyc.reschedule(due.platformId, due.record, retryPlan);
  return due;
}
const ended = (record: KycRecord, attempt: AttemptId) => ({ ...record, ...attempt });

describe("a refresh", () => {
  it("stores the provider's reply", async () => {
    const one = await attentionRecord(world, { found: approved });
    expect((await run(refreshRecord, one)).data).toMatchObject({
      asked: approved,
      sent: null,
      before: { resolution: "unresolved", attempt: 1 },
      after: { status: "APPROVED", attempt: 2, needsAttentionSince: null },
    });
    expect(one.calls).toEqual(asked(one));
    expect(one.observed.map(([event]) => event)).toContain("kyc_attempt");
    expect(await records.attempts(one.kycRecordId)).toMatchObject([{ step: "ask", by: "claim:ada" }]);
    const entry = { actor: "claim:ada", requestId: "req_1", address: null, operation: "records.refresh" };
    expect(await leasesOf(one.platformId)).toMatchObject([
      { ...entry, subject: one.kycRecordId, outcome: "done" },
    ]);
  });

  it.each([notFound, unknown])("reschedules and sends nothing after $outcome", async (found) => {
    const one = await attentionRecord(world, { found });
    const after = { resolution: "unresolved", needsAttentionSince: expect.any(String), leaseUntil: null };
    expect((await run(refreshRecord, one)).data).toMatchObject({ asked: found, after });
    expect(one.calls).toEqual(asked(one));
  });

  it.each([
    { code: "OTHER", unmapped: true },
    { code: "UNDER_AGE", unmapped: false },
  ] as const)("shows a refusal without restricted reasons, and counts $code: $unmapped", async (example) => {
    const explanation = { reasons: [{ code: example.code, field: null }], final: false };
    const found: ProviderReply = { ...refused, explanation, restricted: ["SANCTIONS_MATCH"] };
    const one = await attentionRecord(world, { found });
    const { data } = await run(refreshRecord, one);
    expect(data).toMatchObject({ asked: { ...refused, explanation }, after: { explanation } });
    expect(JSON.stringify([data, one.observed])).not.toContain("SANCTIONS");
    const events = one.observed.map(([event]) => event);
    expect(events.includes("provider_reason_unmapped")).toBe(example.unmapped);
  });

  it("returns no record if the reply could not be stored, or another attempt owned the record before", async () => {
    const broken = await attentionRecord(world, { found: approved });
    broken.ports.kycRecords.storeVerdict = () => Promise.reject(new Error("unavailable"));
    const overtaken = await attentionRecord(world, { found: approved });
    overtaken.ports.kycRecords.storeVerdict = async (platformId, known, ...verdict) => {
      await set(known.kycRecordId, "lease_until = clock_timestamp()");
      await records.lease(known.kycRecordId, ask);
      return kyc.storeVerdict(platformId, known, ...verdict);
    };
    for (const one of [broken, overtaken])
      expect((await run(refreshRecord, one)).data).toMatchObject({ asked: approved, after: null });
  });

  it("is a conflict during the lease of another attempt, and sends no query", async () => {
    const one = await attentionRecord(world, { found: approved });
    await records.lease(one.kycRecordId, ask);
    const { leaseUntil } = await records.show(one.kycRecordId);
    await expect(run(refreshRecord, one)).rejects.toMatchObject(
      conflict(`Another attempt owns the record until ${leaseUntil?.slice(0, -5)}`),
    );
    expect(one.calls).toEqual([]);
  });
});

describe("a resend", () => {
  it("sends the stored submission under its reference if the provider replies not-found", async () => {
    const one = await attentionRecord(world, { found: notFound, sent: approved });
    const after = { status: "APPROVED", attempt: 3 };
    expect((await run(resendRecord, one)).data).toMatchObject({ asked: notFound, sent: approved, after });
    expect(one.calls).toEqual([...asked(one), `sent ${one.kycRecordId} of ${aSubmission().name}`]);
    expect(await leasesOf(one.platformId)).toMatchObject([
      { operation: "records.resend" },
      { operation: "records.refresh" },
    ]);
  });

  it("sends nothing after the first not-found reply, because the provider may not know a new submission yet", async () => {
    const one = await attentionRecord(world, { found: notFound, sent: approved });
    await set(one.kycRecordId, "not_found = 0");
    expect((await run(resendRecord, one)).data).toMatchObject({ asked: notFound, sent: null });
    expect(one.calls).toEqual(asked(one));
    expect((await run(resendRecord, one)).data).toMatchObject({ sent: approved });
  });

  it.each([approved, refused, unknown])("sends nothing after $outcome", async (found) => {
    const one = await attentionRecord(world, { found });
    expect((await run(resendRecord, one)).data).toMatchObject({ asked: found, sent: null });
    expect(one.calls).toEqual(asked(one));
  });

  it("sends nothing if the reply to the query could not be stored", async () => {
    const one = await attentionRecord(world, { found: notFound });
    one.ports.kycRecords.reschedule = () => Promise.reject(new Error("unavailable"));
    expect((await run(resendRecord, one)).data).toMatchObject({ sent: null, after: null });
    expect(one.calls).toEqual(asked(one));
  });

  it("sends nothing if another attempt ran between the query and the submission", async () => {
    const one = await attentionRecord(world, { found: notFound });
    one.ports.kycRecords.reschedule = async (platformId, attempt, ...plan) => {
      await kyc.reschedule(platformId, attempt, ...plan);
      const other = await records.lease(attempt.kycRecordId, ask);
      await kyc.reschedule(platformId, other, ...plan);
    };
    await expect(run(resendRecord, one)).rejects.toMatchObject(conflict("Another attempt ran in between"));
    expect(one.calls).toEqual(asked(one));
  });

  it("accepts only unresolved records", async () => {
    const one = await attentionRecord(world, { found: approved });
    await run(refreshRecord, one);
    await expect(run(resendRecord, one)).rejects.toMatchObject(conflict("The record is resolved"));
    expect(one.calls).toEqual(asked(one));
  });
});

it.each([refreshRecord, resendRecord])("$id of no record is not found", async (operation) => {
  const call = operation.execute(world.ports, operatorCall, { kycRecordId: "kyc_none" });
  expect(await codeOf(call)).toBe("KYC_RECORD_NOT_FOUND");
});

describe("leasing a record", () => {
  it("is refused while an attempt owns the record", async () => {
    const { platformId, record, kycRecordId } = await submitted(someone(Math.random()));
    await expect(records.lease(kycRecordId, ask)).rejects.toMatchObject(conflict("owns the record until"));
    await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ attempt: 1, status: "APPROVED" });
    expect(await leasesOf(platformId)).toEqual([]);
  });

  it("gives one of two operators a new attempt, and excludes workers until the lease ends", async () => {
    const { platformId, kycRecordId } = await rescheduled();
    await set(kycRecordId, "due_at = clock_timestamp()");
    const by = { ...aCaller, operation: "records.refresh" };
    const both = await Promise.allSettled([
      records.lease(kycRecordId, ask, by),
      records.lease(kycRecordId, ask, by),
    ]);
    const attempt = { kycRecordId, attempt: 2 };
    expect(both).toContainEqual({ status: "fulfilled", value: attempt });
    const reason = expect.objectContaining({ code: "KYC_RECORD_CONFLICT" });
    expect(both).toContainEqual({ status: "rejected", reason });
    expect(await leasesOf(platformId)).toHaveLength(1);
    expect(await dueIds()).not.toContain(kycRecordId);
    expect(await kyc.loadAttempt(platformId, attempt)).toMatchObject({ step: "ask" });
    // The operator's process crashes.
    const seconds = "interval '30 seconds'";
    await set(kycRecordId, `due_at = due_at - ${seconds}, lease_until = lease_until - ${seconds}`);
    expect(await kyc.leaseDue(1000)).toContainEqual({ platformId, kycRecordId, attempt: 3 });
  });

  it("that needs attention does not change that, whatever the attempt's outcome", async () => {
    const { platformId, record, kycRecordId } = await needingAttention(world);
    const since = (await theRow(platformId))?.needs_attention_since;
    const waiting = { needs_attention_since: since, due_at: null };
    const first = await records.lease(kycRecordId, ask);
    expect(await theRow(platformId)).toMatchObject({ ...waiting, step: "ask" });

    await set(kycRecordId, "lease_until = clock_timestamp()");
    expect(await dueIds()).not.toContain(kycRecordId);
    const second = await records.lease(kycRecordId, ask);
    await kyc.reschedule(platformId, first, { ...retryPlan, step: "send" });
    const leased = { attempt: 3, step: "ask", lease_until: expect.any(Date) };
    expect(await theRow(platformId)).toMatchObject(leased);

    await kyc.reschedule(platformId, second, { ...retryPlan, notFound: 2 });
    expect(await theRow(platformId)).toMatchObject({ ...waiting, lease_until: null, not_found: 2 });
    const third = await records.lease(kycRecordId, ask);
    await kyc.storeVerdict(platformId, ended(record, third), answered("approved"));
    const decided = { needs_attention_since: null, due_at: null, status: "APPROVED" };
    expect(await theRow(platformId)).toMatchObject(decided);
    await kyc.reschedule(platformId, await records.lease(kycRecordId, ask), retryPlan);
    expect(await theRow(platformId)).toMatchObject(decided);
  });
});

describe("leasing a record to send it", () => {
  const inBetween = conflict("Another attempt ran in between");

  it("requires the number of the latest attempt", async () => {
    const { platformId, kycRecordId } = await needingAttention(world);
    const { attempt: after, ...first } = await records.lease(kycRecordId, ask);
    await kyc.reschedule(platformId, { ...first, attempt: after }, retryPlan);
    await kyc.reschedule(platformId, await records.lease(kycRecordId, ask), retryPlan);
    await expect(records.lease(kycRecordId, { step: "send", after })).rejects.toMatchObject(inBetween);
    const sending = await records.lease(kycRecordId, { step: "send", after: after + 1 });
    expect(await kyc.loadAttempt(platformId, sending)).toMatchObject({ step: "send" });
  });

  it("is followed by a query with a not-found count of 0 when the operator's process crashes", async () => {
    const { platformId, kycRecordId } = await needingAttention(world);
    await records.lease(kycRecordId, { step: "send", after: 1 });
    await set(kycRecordId, "lease_until = clock_timestamp()");
    const next = await records.lease(kycRecordId, ask);
    expect(await kyc.loadAttempt(platformId, next)).toMatchObject({ step: "ask", notFound: 0 });
  });

  it("is refused after the record is resolved", async () => {
    const { platformId, record, kycRecordId } = await submitted(someone(Math.random()));
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    await expect(records.lease(kycRecordId, { step: "send", after: 1 })).rejects.toMatchObject(inBetween);
  });
});
