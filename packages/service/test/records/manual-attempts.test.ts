import type { ProviderReply } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { refreshRecord } from "../../src/records/refresh.ts";
import { resendRecord } from "../../src/records/resend.ts";
import { approved, attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

const input = { kycRecordId: "kyc_1" };
const notFound: ProviderReply = { outcome: "not-found" };
const refused: ProviderReply = { outcome: "refused" };
const asked = ["asked for kyc_1"];
const run = (operation: typeof refreshRecord, { ports }: ReturnType<typeof attentionRecord>) =>
  operation.execute(ports, operatorCall, input);
const conflict = (message: string) => ({
  code: "KYC_RECORD_CONFLICT",
  details: { violations: [{ message: expect.stringContaining(message) }] },
});

describe("a refresh", () => {
  it("stores the provider's reply", async () => {
    const world = attentionRecord({ found: approved });
    expect((await run(refreshRecord, world)).data).toMatchObject({
      asked: approved,
      sent: null,
      before: { resolution: "unresolved", attempt: 5 },
      after: { status: "APPROVED", attempt: 6, needsAttentionSince: null },
    });
    expect(world.calls).toEqual(asked);
    expect(world.observed.map(([event]) => event)).toContain("kyc_attempt");
    const by = { actor: "claim:ada", requestId: "req_1", address: null, operation: "records.refresh" };
    expect(world.leasedBy).toEqual([by]);
  });

  it.each([notFound, unknown])("reschedules and sends nothing after $outcome", async (found) => {
    const world = attentionRecord({ found });
    const after = { resolution: "unresolved", needsAttentionSince: expect.any(String) };
    expect((await run(refreshRecord, world)).data).toMatchObject({ asked: found, after });
    expect(world.calls).toEqual(asked);
    expect(world.plans).toHaveLength(1);
  });

  it.each([
    { code: "OTHER", unmapped: true },
    { code: "UNDER_AGE", unmapped: false },
  ] as const)("shows a refusal without restricted reasons, and counts $code: $unmapped", async (example) => {
    const explanation = { reasons: [{ code: example.code, field: null }], final: false };
    const found: ProviderReply = { ...refused, explanation, restricted: ["SANCTIONS_MATCH"] };
    const world = attentionRecord({ found });
    const { data } = await run(refreshRecord, world);
    expect(data).toMatchObject({ asked: { ...refused, explanation }, after: { explanation } });
    expect(JSON.stringify([data, world.observed])).not.toContain("SANCTIONS");
    const events = world.observed.map(([event]) => event);
    expect(events.includes("provider_reason_unmapped")).toBe(example.unmapped);
  });

  it("returns no record if the reply could not be stored, or another attempt owned the record before", async () => {
    const broken = attentionRecord({ found: approved });
    broken.ports.kycRecords.storeVerdict = () => Promise.reject(new Error("unavailable"));
    const overtaken = attentionRecord({ found: approved });
    const { storeVerdict } = overtaken.ports.kycRecords;
    overtaken.ports.kycRecords.storeVerdict = async (...args) => {
      const { before } = await storeVerdict(...args);
      const record = { ...before, attempt: before.attempt + 1 };
      return { before: record, record };
    };
    for (const world of [broken, overtaken])
      expect((await run(refreshRecord, world)).data).toMatchObject({ asked: approved, after: null });
  });

  it("is a conflict during the lease of another attempt, and sends no query", async () => {
    const world = attentionRecord({ found: approved });
    world.lease();
    await expect(run(refreshRecord, world)).rejects.toMatchObject(
      conflict("Another attempt owns the record until 1970-01-01T00:00:30.000Z"),
    );
    expect(world.calls).toEqual([]);
  });
});

describe("a resend", () => {
  it("sends the stored submission under its reference if the provider replies not-found", async () => {
    const world = attentionRecord({ found: notFound, sent: approved });
    const after = { status: "APPROVED", attempt: 7 };
    expect((await run(resendRecord, world)).data).toMatchObject({ asked: notFound, sent: approved, after });
    expect(world.calls).toEqual([...asked, 'sent kyc_1 {"name":"N"}']);
    expect(world.leasedBy).toMatchObject([{ operation: "records.refresh" }, { operation: "records.resend" }]);
  });

  it.each([approved, refused, unknown])("sends nothing after $outcome", async (found) => {
    const world = attentionRecord({ found });
    expect((await run(resendRecord, world)).data).toMatchObject({ asked: found, sent: null });
    expect(world.calls).toEqual(asked);
  });

  it("sends nothing if the reply to the query could not be stored", async () => {
    const world = attentionRecord({ found: notFound });
    world.ports.kycRecords.reschedule = () => Promise.reject(new Error("unavailable"));
    expect((await run(resendRecord, world)).data).toMatchObject({ sent: null, after: null });
    expect(world.calls).toEqual(asked);
  });

  it("sends nothing if another attempt ran between the query and the submission", async () => {
    const world = attentionRecord({ found: notFound });
    const { kycAdmin, kycRecords } = world.ports;
    const { reschedule } = kycRecords;
    kycRecords.reschedule = async (...args) => {
      await reschedule(...args);
      await kycAdmin.lease("kyc_1", { step: "ask" }, { ...operatorCall, operation: "records.refresh" });
      await reschedule(...args);
    };
    await expect(run(resendRecord, world)).rejects.toMatchObject(conflict("Another attempt ran in between"));
    expect(world.calls).toEqual(asked);
  });

  it("accepts only unresolved records", async () => {
    const world = attentionRecord({ found: approved });
    await run(refreshRecord, world);
    await expect(run(resendRecord, world)).rejects.toMatchObject(conflict("The record is resolved"));
    expect(world.calls).toEqual(asked);
  });
});
