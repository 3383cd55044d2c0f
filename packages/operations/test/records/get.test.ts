import { expect, it } from "vitest";
import { exampleAttempt, exampleView } from "../../src/records/example.ts";
import { getRecord } from "../../src/records/get.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

it("reads a record with what to do next, and audits the call for the record's platform", async () => {
  const { ports, audited } = attentionRecord({ found: unknown });
  ports.kycAdmin.attempts = async () => [{ ...exampleAttempt, outcome: "not-found", reason: null }];
  const { data } = await getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" });
  expect(data).toMatchObject({
    kycRecordId: "kyc_1",
    platformId: "plt_1",
    resolution: "unresolved",
    next: { situation: "not-found", action: "resend" },
  });
  expect(audited).toEqual([
    {
      platformId: "plt_1",
      actor: "claim:ada",
      requestId: "req_1",
      address: null,
      operation: "records.get",
      subject: "kyc_1",
      outcome: "done",
    },
  ]);
});

it("reads who opened the record before, so that the call itself is not among them", async () => {
  const { ports, audited } = attentionRecord({ found: unknown });
  ports.kycAdmin.views = async (platformId, kycRecordId) => {
    expect([platformId, kycRecordId]).toEqual(["plt_1", "kyc_1"]);
    expect(audited).toEqual([]);
    return [exampleView];
  };
  const { data } = await getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" });
  expect(data.views).toEqual([exampleView]);
  expect(audited).toHaveLength(1);
});

it("fails if the audit fails", async () => {
  const { ports } = attentionRecord({ found: unknown });
  ports.audit.appendHourly = () => Promise.reject(new Error("unavailable"));
  await expect(getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" })).rejects.toThrow(
    "unavailable",
  );
});
