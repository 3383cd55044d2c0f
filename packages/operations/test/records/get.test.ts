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

it("names the persons who decided and attempted, and says that the decision is manual", async () => {
  const { ports } = attentionRecord({ found: unknown });
  const before = await ports.kycAdmin.show("kyc_1");
  if (!before) throw new Error("There is no record.");
  const state = { resolution: "answered", status: "APPROVED", subStatus: "approved" } as const;
  const decision = { source: "person", by: "per_cora/key_1", proposedBy: "per_cleo/key_1" } as const;
  const observedAt = "2026-01-31T12:00:00.000Z";
  const history = [{ ...state, ...decision, explanation: null, observedAt }];
  ports.kycAdmin.show = async () => ({ ...before, ...state, history });
  ports.kycAdmin.attempts = async () => ["per_sam/key_1", "worker"].map((by) => ({ ...exampleAttempt, by }));
  ports.persons.names = async (ids) => ids.map((personId) => ({ personId, name: `The name of ${personId}` }));
  const { data } = await getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" });
  expect(data.persons.map(({ name }) => name)).toEqual(
    ["per_cora", "per_cleo", "per_sam"].map((id) => `The name of ${id}`),
  );
  expect(data.next).toMatchObject({ situation: "approved", manual: true });
  expect(data.next.operator).not.toContain("provider");
});
