import { describe, expect, it } from "vitest";
import {
  applyVerdict,
  type KycRecord,
  newState,
  toKycHistoryEntry,
  toKycResult,
  toKycUpdated,
} from "../../src/index.ts";

const record: KycRecord = {
  ...newState,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
};
const rejection = { outcome: "answered", subStatus: "rejected", cardAccountId: null, revision: 1 } as const;

describe("the result of a KYC record", () => {
  it("has the provisional status PENDING while the outcome is unknown (G14)", () => {
    expect(toKycResult(record)).toMatchObject({
      success: true,
      code: "KYC_ACCEPTED",
      status: "PENDING",
      subStatus: null,
      cardAccountId: null,
    });
  });

  it("has one status in the result, the history and the event of a change", () => {
    const change = { ...newState, source: "submission", observedAt: "2026-01-01T00:00:00Z" } as const;
    const event = toKycUpdated({ kycRecordId: "kyc_1", externalUserId: "usr_1", sequence: 1 }, newState);
    const statuses = [toKycResult(record).status, toKycHistoryEntry(change).status, event.status];
    expect(statuses).toEqual(["PENDING", "PENDING", "PENDING"]);
  });

  it("reports a rejection as success and a refusal as failure (G15)", () => {
    const rejected = { ...record, ...applyVerdict(record, rejection) };
    const refused = { ...record, ...applyVerdict(record, { outcome: "refused" }) };
    expect(toKycResult(rejected)).toMatchObject({ success: true, code: "KYC_SUBMITTED", status: "REJECTED" });
    expect(toKycResult(refused)).toMatchObject({ success: false, code: "KYC_REFUSED", status: null });
  });
});
