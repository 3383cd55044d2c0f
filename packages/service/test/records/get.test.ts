import { expect, it } from "vitest";
import { exampleAttempt, exampleView } from "../../src/records/example.ts";
import { getRecord } from "../../src/records/get.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

const world = () => {
  const { ports, audited } = attentionRecord({ found: unknown });
  return { ports, audited, get: () => getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" }) };
};

it("reads a record with what to do next and its former views, and audits the call for its platform", async () => {
  const { ports, audited, get } = world();
  ports.kycAdmin.attempts = async () => [{ ...exampleAttempt, outcome: "not-found", reason: null }];
  ports.kycAdmin.views = async (platformId, kycRecordId) => {
    expect([platformId, kycRecordId, audited]).toEqual(["plt_1", "kyc_1", []]);
    return [exampleView];
  };
  expect((await get()).data).toMatchObject({
    ...{ kycRecordId: "kyc_1", platformId: "plt_1", resolution: "unresolved", views: [exampleView] },
    next: { situation: "not-found", action: "resend" },
  });
  expect(audited).toMatchObject([
    { platformId: "plt_1", actor: "claim:ada", operation: "records.get", subject: "kyc_1", outcome: "done" },
  ]);
});

it("fails if the audit fails", async () => {
  const { ports, get } = world();
  ports.audit.appendHourly = () => Promise.reject(new Error("unavailable"));
  await expect(get()).rejects.toThrow("unavailable");
});

it("names the persons who decided and attempted, and says that the decision is manual", async () => {
  const { ports, get } = world();
  const before = await ports.kycAdmin.show("kyc_1");
  if (!before) throw new Error("There is no record.");
  const state = { resolution: "answered", status: "APPROVED", subStatus: "approved" } as const;
  const decision = { source: "person", by: "per_cora/key_1", proposedBy: "per_cleo/key_1" } as const;
  const history = [{ ...state, ...decision, explanation: null, observedAt: "2026-01-31T12:00:00.000Z" }];
  ports.kycAdmin.show = async () => ({ ...before, ...state, history });
  ports.kycAdmin.attempts = async () => ["per_sam/key_1", "worker"].map((by) => ({ ...exampleAttempt, by }));
  ports.persons.names = async (ids) => ids.map((personId) => ({ personId, name: `The name of ${personId}` }));
  const { data } = await get();
  const names = ["per_cora", "per_cleo", "per_sam"].map((id) => `The name of ${id}`);
  expect(data.persons.map(({ name }) => name)).toEqual(names);
  expect(data.next).toMatchObject({ situation: "approved", manual: true });
  expect(data.next.operator).not.toContain("provider");
});
