import { describe, expect, it } from "vitest";
import {
  applyVerdict,
  explainsRejection,
  type KycVerdict,
  kycExplanation,
  reasonMessages,
  refusalOf,
  restrictedReasons,
  showReply,
  toKycHistoryEntry,
  toKycResult,
} from "../../src/index.ts";
import { answered, recordAfter, refused } from "./submission-body.ts";

const explanation = kycExplanation.parse({
  reasons: [{ code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" }, { code: "OTHER" }],
  final: true,
});
const shown = {
  reasons: [
    { code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate", message: reasonMessages.DOCUMENT_EXPIRED },
    { code: "OTHER", field: null, message: reasonMessages.OTHER },
  ],
  final: true,
};
const explained = (subStatus: string, revision = 1) => ({ ...answered(subStatus, revision), explanation });
const refusal: KycVerdict = { ...refused, explanation };

describe("reasons (G28)", () => {
  it.each([refusal, explained("rejected")])(
    "are in the result of a declined submission: $outcome",
    (verdict) => {
      expect(toKycResult(recordAfter(verdict))).toMatchObject(shown);
    },
  );

  it.each(["not_submitted", "pending_approval", "approved", "new"])(
    "are absent with the sub-status %s",
    (subStatus) => {
      const after = recordAfter(explained(subStatus));
      expect(after.explanation).toBeNull();
      expect(toKycResult(after)).not.toHaveProperty("reasons");
      expect(toKycResult(after)).not.toHaveProperty("final");
    },
  );

  it("are an empty list if the provider gave none", () => {
    expect(toKycResult(recordAfter(refused))).toMatchObject({ reasons: [], final: false });
  });

  it("follow the provider's latest decision, and do not change with an unmapped status", () => {
    const rejected = recordAfter(explained("rejected"));
    expect(applyVerdict(rejected, explained("new", 2))).toMatchObject({ status: "REJECTED", explanation });
    expect(applyVerdict(rejected, answered("rejected", 2)).explanation).toBeNull();
    expect(applyVerdict(rejected, explained("approved", 2)).explanation).toBeNull();
  });

  it("are the violations of a refusal, with the record's other fields", () => {
    const { code, details } = refusalOf(recordAfter(refusal), true);
    expect({ code, details }).toMatchObject({
      code: "KYC_REFUSED",
      details: {
        kycRecordId: "kyc_1",
        replayed: true,
        violations: [
          { path: ["documentExpiryDate"], rule: "DOCUMENT_EXPIRED", message: shown.reasons[0]?.message },
          { path: [], rule: "OTHER" },
        ],
        refused: { externalUserId: "usr_1", subStatus: null, cardAccountId: null, final: true },
      },
    });
  });

  it("are in the history, where the code marks a refusal", () => {
    const change = { status: null, subStatus: null, source: "provider", observedAt: "" } as const;
    expect(toKycHistoryEntry({ ...change, resolution: "refused", explanation })).toEqual({
      ...change,
      ...shown,
      code: "KYC_REFUSED",
    });
    expect(toKycHistoryEntry({ ...change, resolution: "unresolved", explanation: null })).toEqual({
      ...change,
      status: "PENDING",
      code: "KYC_ACCEPTED",
    });
  });

  it("are never in a state or a shown reply if only compliance may see them", () => {
    for (const verdict of [refusal, explained("rejected")]) {
      const both = { ...verdict, restricted: [...restrictedReasons] };
      for (const one of [recordAfter(both), showReply(both)]) {
        for (const code of restrictedReasons) expect(JSON.stringify(one)).not.toContain(code);
      }
      expect(showReply(both)).toEqual({ ...verdict, words: expect.any(String) });
    }
  });
});

describe("the schema of a reason's field", () => {
  const parse = (field: unknown) => kycExplanation.safeParse({ reasons: [{ code: "OTHER", field }] }).success;

  it.each([null, "/name", "/supportingDocuments", "/supportingDocuments/9/fileUrl"])(
    "accepts %s",
    (field) => {
      expect(parse(field)).toBe(true);
    },
  );

  const indices = ["/name/0", "/supportingDocuments/10", "/supportingDocuments/0/x"];
  it.each(["", "name", "/memberId", "/names", ...indices, 7])("rejects %j", (field) => {
    expect(parse(field)).toBe(false);
  });
});

it("a manual decision has an explanation only for a refusal or a rejection", () => {
  const check = (decision: unknown) => explainsRejection.check({ decision }).map(({ rule }) => rule);
  expect(check({ outcome: "refused", explanation })).toEqual([]);
  expect(check({ outcome: "answered", subStatus: "rejected", explanation })).toEqual([]);
  expect(check({ outcome: "answered", subStatus: "approved" })).toEqual([]);
  expect(check({ outcome: "answered", subStatus: "approved", explanation })).toEqual([
    "explanation-of-rejection",
  ]);
  for (const decision of [undefined, null, 7]) expect(check(decision)).toEqual([]);
});
