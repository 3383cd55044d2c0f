import { describe, expect, it } from "vitest";
import { afterRejection, applyVerdict, type KycRecord, newState, toKycResult } from "../src/index.ts";

const record: KycRecord = {
  ...newState,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
};
const yes = (subStatus: string, cardAccountId: string | null = null, revision = 1) =>
  ({ outcome: "answered", subStatus, cardAccountId, revision }) as const;

describe("a KYC record", () => {
  it.each([
    ["not_submitted", "PENDING"],
    ["pending_approval", "PENDING_APPROVAL"],
    ["approved", "APPROVED"],
    ["rejected", "REJECTED"],
  ])("maps %s to %s (G10)", (subStatus, status) => {
    expect(applyVerdict(record, yes(subStatus))).toMatchObject({ settlement: "answered", status, subStatus });
  });

  it("keeps the last mapped status when the provider says something new (G10)", () => {
    const first = applyVerdict(record, yes("manual_review"));
    expect(first).toMatchObject({ status: null, subStatus: "manual_review" });
    const pending = applyVerdict(record, yes("pending_approval", "acct_1"));
    expect(applyVerdict(pending, yes("manual_review", null, 2))).toMatchObject({
      settlement: "answered",
      status: "PENDING_APPROVAL",
      subStatus: "manual_review",
      cardAccountId: "acct_1",
    });
  });

  it("shows a provisional PENDING while the outcome is not known (G14)", () => {
    expect(toKycResult(record)).toMatchObject({
      success: true,
      code: "KYC_ACCEPTED",
      status: "PENDING",
      subStatus: null,
      cardAccountId: null,
    });
  });

  it("shows a rejection as a result and a refusal as no success (G15)", () => {
    const rejected = { ...record, ...applyVerdict(record, yes("rejected")) };
    const refused = { ...record, ...applyVerdict(record, { outcome: "refused" }) };
    expect(toKycResult(rejected)).toMatchObject({ success: true, code: "KYC_SUBMITTED", status: "REJECTED" });
    expect(toKycResult(refused)).toMatchObject({ success: false, code: "KYC_REFUSED", status: null });
  });

  it("is followed by a new one only after a rejection or a refusal (G16)", () => {
    const after = (subStatus: string) => ({ ...record, ...applyVerdict(record, yes(subStatus)) });
    const refused = { ...record, ...applyVerdict(record, { outcome: "refused" }) };
    const same = { equal: true, newKey: false };
    const other = { equal: false, newKey: false };
    expect(afterRejection.decide(record, same)).toBe("replay");
    expect(afterRejection.decide(refused, same)).toBe("replay");
    for (const over of [refused, after("rejected")]) {
      expect(afterRejection.decide(over, other)).toBe("submit");
      expect(afterRejection.decide(over, { equal: true, newKey: true })).toBe("submit");
    }
    for (const subStatus of ["not_submitted", "pending_approval", "approved", "manual_review"]) {
      expect(afterRejection.decide(after(subStatus), other)).toBe("conflict");
      expect(afterRejection.decide(after(subStatus), { equal: true, newKey: true })).toBe("replay");
    }
    expect(afterRejection.decide(record, other)).toBe("conflict");
  });
});
