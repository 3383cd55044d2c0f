import { expect, it } from "vitest";
import { resolveRecord as resolving } from "../../src/records/resolve.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

const resolveRecord = resolving({ fourEyes: false });
const decision = { outcome: "refused" } as const;

it("resolves an unresolved record with the operator's decision only once", async () => {
  const { ports } = attentionRecord({ found: unknown });
  const input = { kycRecordId: "kyc_1", decision };
  const { data } = await resolveRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({
    before: { resolution: "unresolved" },
    after: { resolution: "refused", needsAttentionSince: null },
  });
  await expect(resolveRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ message: expect.stringContaining("The record is resolved") }] },
  });
});

it("returns KYC_RECORD_NOT_FOUND for a missing record", async () => {
  const { ports } = attentionRecord({ found: unknown });
  await expect(
    resolveRecord.execute(ports, operatorCall, { kycRecordId: "kyc_none", decision }),
  ).rejects.toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
});

it.each([
  ["4111 1111 1111 1111", "no-card-number"],
  ["acct 1", "card-account-id"],
])("refuses the card account %j", async (cardAccountId, rule) => {
  const { ports } = attentionRecord({ found: unknown });
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId } as const;
  await expect(
    resolveRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1", decision: approved }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: {
      violations: expect.arrayContaining([
        expect.objectContaining({ path: ["decision", "cardAccountId"], rule }),
      ]),
    },
  });
});

it("accepts reasons with a refusal or a rejection, but not with an approval", async () => {
  const explanation = { reasons: [{ code: "UNDER_AGE" as const }], final: true };
  const resolve = (decision: object) => {
    const input = { kycRecordId: "kyc_1", decision: { ...decision, explanation }, note: "By telephone." };
    return resolveRecord.execute(attentionRecord({ found: unknown }).ports, operatorCall, input);
  };
  const stored = { reasons: [{ code: "UNDER_AGE", field: null }], final: true };
  for (const decision of [{ outcome: "refused" }, { outcome: "answered", subStatus: "rejected" }])
    expect((await resolve(decision)).data).toMatchObject({ after: { explanation: stored } });
  await expect(resolve({ outcome: "answered", subStatus: "approved" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: [{ rule: "explanation-of-rejection" }] },
  });
});

it.each([
  ["an approval", { outcome: "answered", subStatus: "approved" }],
  ["a card account", { outcome: "answered", subStatus: "pending_approval", cardAccountId: "acct_1" }],
])("refuses %s without a note", async (_name, decision) => {
  const { ports } = attentionRecord({ found: unknown });
  const input = { kycRecordId: "kyc_1", decision };
  await expect(resolveRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: [{ path: ["note"], rule: "note-of-approval" }] },
  });
});
