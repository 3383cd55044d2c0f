import { describe, expect, it } from "vitest";
import { newState, toKycHistoryEntry, toKycResult, toKycUpdated } from "../../src/index.ts";
import { answered, recordAfter, refused } from "./submission-body.ts";

describe("the result of a KYC record", () => {
  it("has the provisional status PENDING while the outcome is unknown (G14)", () => {
    expect(toKycResult(recordAfter())).toMatchObject({
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
    const statuses = [toKycResult(recordAfter()).status, toKycHistoryEntry(change).status, event.status];
    expect(statuses).toEqual(["PENDING", "PENDING", "PENDING"]);
  });

  it.each([
    { verdict: answered("rejected"), result: { success: true, code: "KYC_SUBMITTED", status: "REJECTED" } },
    { verdict: refused, result: { success: false, code: "KYC_REFUSED", status: null } },
  ])("reports a rejection as success and a refusal as failure (G15): $result.code", ({ verdict, result }) => {
    expect(toKycResult(recordAfter(verdict))).toMatchObject(result);
  });
});
