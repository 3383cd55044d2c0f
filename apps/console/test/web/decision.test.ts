import { noCardNumber, resolveRecordInput } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { type Draft, faultOf, toDecision } from "../../src/web/record/decision/draft.ts";

const draft = (fields: Partial<Draft>): Draft => ({
  outcome: "approved",
  cardAccountId: "",
  reasons: [],
  final: false,
  note: "",
  ...fields,
});

it.each<[Partial<Draft>, unknown]>([
  [{ cardAccountId: " acct_1 " }, { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" }],
  [{}, { outcome: "answered", subStatus: "approved", cardAccountId: null }],
  [
    { outcome: "rejected", reasons: ["OTHER"], final: true, cardAccountId: "acct_1" },
    {
      outcome: "answered",
      subStatus: "rejected",
      cardAccountId: null,
      explanation: { reasons: [{ code: "OTHER", field: null }], final: true },
    },
  ],
  [
    { outcome: "refused", reasons: ["UNDER_AGE"] },
    { outcome: "refused", explanation: { reasons: [{ code: "UNDER_AGE", field: null }], final: false } },
  ],
  [
    { outcome: "pending_approval", reasons: ["OTHER"] },
    { outcome: "answered", subStatus: "pending_approval", cardAccountId: null },
  ],
])("makes a decision of %j that the service takes", (fields, decision) => {
  expect(toDecision(draft(fields))).toEqual(decision);
  const parsed = resolveRecordInput.safeParse({ kycRecordId: "kyc_1", decision: toDecision(draft(fields)) });
  expect(parsed.error?.issues).toBeUndefined();
  expect(noCardNumber.check({ decision })).toEqual([]);
});

it.each<[Partial<Draft>, string | undefined]>([
  [{ note: "By telephone." }, undefined],
  [{}, "note"],
  [{ note: " " }, "note"],
  [{ cardAccountId: "two words" }, "account"],
  [{ outcome: "rejected" }, "reasons"],
  [{ outcome: "refused", reasons: ["OTHER"] }, undefined],
  [{ outcome: "pending_approval", cardAccountId: "two words" }, undefined],
])("finds the fault of %j: %s", (fields, fault) => {
  expect(faultOf(draft(fields))).toBe(fault);
});
