import { expect, it } from "vitest";
import { refreshRecord } from "../../src/records/refresh.ts";
import { resendRecord } from "../../src/records/resend.ts";
import { resolveRecord as resolving } from "../../src/records/resolve.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { codeOf, operatorCall } from "../support/calls.ts";

const resolveRecord = resolving({ fourEyes: false });
const refusal = { outcome: "refused" } as const;
const answered = { outcome: "answered", subStatus: "approved" } as const;
const resolve = (decision: object, note?: string, { ports } = attentionRecord({ found: unknown })) =>
  resolveRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1", decision, note });

it("resolves an unresolved record with the operator's decision only once", async () => {
  const world = attentionRecord({ found: unknown });
  expect((await resolve(refusal, undefined, world)).data).toMatchObject({
    before: { resolution: "unresolved" },
    after: { resolution: "refused", needsAttentionSince: null },
  });
  await expect(resolve(refusal, undefined, world)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ message: expect.stringContaining("The record is resolved") }] },
  });
});

it("a missing record is not found, also by a refresh and a resend", async () => {
  const { ports } = attentionRecord({ found: unknown });
  const kycRecordId = "kyc_none";
  const calls = [
    resolveRecord.execute(ports, operatorCall, { kycRecordId, decision: refusal }),
    refreshRecord.execute(ports, operatorCall, { kycRecordId }),
    resendRecord.execute(ports, operatorCall, { kycRecordId }),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "KYC_RECORD_NOT_FOUND"));
});

it.each([
  { decision: { ...answered, cardAccountId: "4111 1111 1111 1111" }, note: "N", rule: "no-card-number" },
  { decision: { ...answered, cardAccountId: "acct 1" }, note: "N", rule: "card-account-id" },
  { decision: answered, rule: "note-of-approval" },
  {
    decision: { ...answered, subStatus: "pending_approval", cardAccountId: "acct_1" },
    rule: "note-of-approval",
  },
  {
    decision: { ...answered, explanation: { reasons: [{ code: "UNDER_AGE" }], final: true } },
    note: "N",
    rule: "explanation-of-rejection",
  },
])("refuses $decision by the rule $rule", async ({ decision, note, rule }) => {
  await expect(resolve(decision, note)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: expect.arrayContaining([expect.objectContaining({ rule })]) },
  });
});

it.each([refusal, { ...answered, subStatus: "rejected" }])("accepts reasons with %j", async (decision) => {
  const explanation = { reasons: [{ code: "UNDER_AGE" }], final: true };
  const stored = { reasons: [{ code: "UNDER_AGE", field: null }], final: true };
  const { data } = await resolve({ ...decision, explanation }, "By telephone.");
  expect(data).toMatchObject({ after: { explanation: stored } });
});
