import { expect, it } from "vitest";
import { refreshRecord } from "../../src/records/refresh.ts";
import { approved, attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

const input = { kycRecordId: "kyc_1" };

it("stores the provider's reply", async () => {
  const { ports, calls, observed, leasedBy } = attentionRecord({ found: approved });
  const { data } = await refreshRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({
    asked: approved,
    sent: null,
    before: { resolution: "unresolved", attempt: 5 },
    after: { status: "APPROVED", attempt: 6, needsAttentionSince: null },
  });
  expect(calls).toEqual(["asked for kyc_1"]);
  expect(observed.map(([event]) => event)).toContain("kyc_attempt");
  expect(leasedBy).toEqual([
    { actor: "claim:ada", requestId: "req_1", address: null, operation: "records.refresh" },
  ]);
});

it.each([{ outcome: "not-found" } as const, unknown])(
  "reschedules and sends nothing if the provider replies $outcome",
  async (found) => {
    const { ports, calls, plans } = attentionRecord({ found });
    const { data } = await refreshRecord.execute(ports, operatorCall, input);
    expect(data).toMatchObject({
      asked: found,
      after: { resolution: "unresolved", needsAttentionSince: expect.any(String) },
    });
    expect(calls).toEqual(["asked for kyc_1"]);
    expect(plans).toHaveLength(1);
  },
);

it("shows the reasons of a refusal without restricted reasons, and counts an unmapped reason", async () => {
  const reasons = [{ code: "OTHER" as const, field: "/name" }];
  const refused = { outcome: "refused", explanation: { reasons, final: false } } as const;
  const { ports, observed } = attentionRecord({ found: { ...refused, restricted: ["SANCTIONS_MATCH"] } });
  const { data } = await refreshRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({ asked: refused, after: { explanation: refused.explanation } });
  expect(JSON.stringify([data, observed])).not.toContain("SANCTIONS");
  expect(observed).toContainEqual(["provider_reason_unmapped", { kycRecordId: "kyc_1" }]);
});

it("does not count a mapped reason", async () => {
  const reasons = [{ code: "UNDER_AGE" as const, field: null }];
  const { ports, observed } = attentionRecord({
    found: { outcome: "refused", explanation: { reasons, final: false } },
  });
  await refreshRecord.execute(ports, operatorCall, input);
  expect(observed.map(([event]) => event)).not.toContain("provider_reason_unmapped");
});

it("returns no record if the reply could not be stored", async () => {
  const { ports } = attentionRecord({ found: approved });
  ports.kycRecords.storeVerdict = () => Promise.reject(new Error("unavailable"));
  const { data } = await refreshRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({ asked: approved, after: null });
});

it("returns no record if another attempt owns the record before the reply is stored", async () => {
  const { ports } = attentionRecord({ found: approved });
  const { storeVerdict } = ports.kycRecords;
  ports.kycRecords.storeVerdict = async (...args) => {
    const { before } = await storeVerdict(...args);
    const record = { ...before, attempt: before.attempt + 1 };
    return { before: record, record };
  };
  const { data } = await refreshRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({ asked: approved, after: null });
});

it("returns a conflict during the lease of another attempt, and sends no query", async () => {
  const { ports, calls, lease } = attentionRecord({ found: approved });
  lease();
  await expect(refreshRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: {
      violations: [
        {
          message: expect.stringContaining("Another attempt owns the record until 1970-01-01T00:00:30.000Z"),
        },
      ],
    },
  });
  expect(calls).toEqual([]);
});

it("returns KYC_RECORD_NOT_FOUND for a missing record", async () => {
  const { ports } = attentionRecord({ found: approved });
  await expect(refreshRecord.execute(ports, operatorCall, { kycRecordId: "kyc_none" })).rejects.toMatchObject(
    {
      code: "KYC_RECORD_NOT_FOUND",
    },
  );
});
