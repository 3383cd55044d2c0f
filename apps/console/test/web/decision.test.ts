import { noCardNumber, resolveRecordInput } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { type Draft, missingOf, toDecision } from "../../src/web/record/decision/draft.ts";

const note = "By telephone.";
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
  const input = { kycRecordId: "kyc_1", decision: toDecision(draft(fields)), note };
  const parsed = resolveRecordInput.safeParse(input);
  expect(parsed.error?.issues).toBeUndefined();
  expect(noCardNumber.check({ decision })).toEqual([]);
});

it.each<[Partial<Draft>, boolean, string[]]>([
  [{ note }, true, []],
  [{ note }, false, ["evidence"]],
  [{ note: " " }, true, ["note"]],
  [{ note, cardAccountId: "two words" }, true, ["account"]],
  [{ outcome: "rejected" }, false, ["reasons", "note"]],
  [{ outcome: "refused", reasons: ["OTHER"], note }, false, []],
  [{ outcome: "pending_approval", cardAccountId: "two words" }, false, ["note"]],
])("finds what %j needs (evidence open: %j): %j", (fields, seen, missing) => {
  expect(missingOf(draft(fields), seen)).toEqual(missing);
});
