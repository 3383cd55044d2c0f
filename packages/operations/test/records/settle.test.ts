import { expect, it } from "vitest";
import { settleRecord } from "../../src/records/settle.ts";
import { operatorCall } from "../support/calls.ts";
import { heldRecord, unknown } from "../support/held-record.ts";

const decision = { outcome: "refused" } as const;

it("settles an unsettled record by the operator's decision, once", async () => {
  const { ports } = heldRecord({ found: unknown });
  const input = { kycRecordId: "kyc_1", decision };
  const { data } = await settleRecord.execute(ports, operatorCall, input);
  expect(data).toMatchObject({
    before: { settlement: "unsettled" },
    after: { settlement: "refused", heldAt: null },
  });
  await expect(settleRecord.execute(ports, operatorCall, input)).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ message: expect.stringContaining("The record is settled") }] },
  });
});

it("reports a missing record", async () => {
  const { ports } = heldRecord({ found: unknown });
  await expect(
    settleRecord.execute(ports, operatorCall, { kycRecordId: "kyc_none", decision }),
  ).rejects.toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
});

it.each([
  ["4111 1111 1111 1111", "no-card-number"],
  ["acct 1", "card-account-id"],
])("refuses the card account %j", async (cardAccountId, rule) => {
  const { ports } = heldRecord({ found: unknown });
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId } as const;
  await expect(
    settleRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1", decision: approved }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: {
      violations: expect.arrayContaining([
        expect.objectContaining({ path: ["decision", "cardAccountId"], rule }),
      ]),
    },
  });
});

it("settles with reasons, but not an approval", async () => {
  const explanation = { reasons: [{ code: "UNDER_AGE" as const }], final: true };
  const settle = (decision: object) => {
    const input = { kycRecordId: "kyc_1", decision: { ...decision, explanation } };
    return settleRecord.execute(heldRecord({ found: unknown }).ports, operatorCall, input);
  };
  const stored = { reasons: [{ code: "UNDER_AGE", field: null }], final: true };
  for (const decision of [{ outcome: "refused" }, { outcome: "answered", subStatus: "rejected" }])
    expect((await settle(decision)).data).toMatchObject({ after: { explanation: stored } });
  await expect(settle({ outcome: "answered", subStatus: "approved" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: [{ rule: "explanation-of-rejection" }] },
  });
});
