import type { ProviderReply } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { refreshRecord } from "../../src/records/refresh.ts";
import { resendRecord } from "../../src/records/resend.ts";
import { approved, attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

const input = { kycRecordId: "kyc_1" };

it("sends the stored submission under its reference if the provider replies not-found", async () => {
  const { ports, calls, leasedBy } = attentionRecord({ found: { outcome: "not-found" }, sent: approved });
  const { data } = await resendRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({
    asked: { outcome: "not-found" },
    sent: approved,
    after: { status: "APPROVED", attempt: 7 },
  });
  expect(calls).toEqual(["asked for kyc_1", 'sent kyc_1 {"name":"N"}']);
  expect(leasedBy).toMatchObject([{ operation: "records.refresh" }, { operation: "records.resend" }]);
});

it.each<ProviderReply>([approved, { outcome: "refused" }, unknown])(
  "sends nothing if the provider replies $outcome",
  async (found) => {
    const { ports, calls } = attentionRecord({ found });
    const { data } = await resendRecord.execute(ports, operatorCall, input);
    expect(data).toMatchObject({ asked: found, sent: null });
    expect(calls).toEqual(["asked for kyc_1"]);
  },
);

it("sends nothing if the reply to the query could not be stored", async () => {
  const { ports, calls } = attentionRecord({ found: { outcome: "not-found" } });
  ports.kycRecords.reschedule = () => Promise.reject(new Error("unavailable"));
  const { data } = await resendRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({ sent: null, after: null });
  expect(calls).toEqual(["asked for kyc_1"]);
});

it("sends nothing if another attempt ran between the query and the submission", async () => {
  const { ports, calls } = attentionRecord({ found: { outcome: "not-found" } });
  const { reschedule } = ports.kycRecords;
  ports.kycRecords.reschedule = async (...args) => {
    await reschedule(...args);
    await ports.kycAdmin.lease("kyc_1", { step: "ask" }, { ...operatorCall, operation: "records.refresh" });
    await reschedule(...args);
  };
  await expect(resendRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ message: expect.stringContaining("Another attempt ran in between") }] },
  });
  expect(calls).toEqual(["asked for kyc_1"]);
});

it("accepts only unresolved records", async () => {
  const { ports, calls } = attentionRecord({ found: approved });
  await refreshRecord.execute(ports, operatorCall, input);
  await expect(resendRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ message: expect.stringContaining("The record is resolved") }] },
  });
  expect(calls).toHaveLength(1);
});

it("returns KYC_RECORD_NOT_FOUND for a missing record", async () => {
  const { ports } = attentionRecord({ found: approved });
  await expect(resendRecord.execute(ports, operatorCall, { kycRecordId: "kyc_none" })).rejects.toMatchObject({
    code: "KYC_RECORD_NOT_FOUND",
  });
});
