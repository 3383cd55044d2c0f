import { describe, expect, it } from "vitest";
import {
  applyVerdict,
  explainsRejection,
  type KycRecord,
  type KycVerdict,
  kycExplanation,
  newState,
  reasonMessages,
  refusalOf,
  restrictedReasons,
  toKycHistoryEntry,
  toKycResult,
  withoutRestricted,
} from "../../src/index.ts";

const explanation = kycExplanation.parse({
  reasons: [{ code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" }, { code: "OTHER" }],
  final: true,
});
const shown = {
  reasons: [
    {
      code: "DOCUMENT_EXPIRED",
      field: "/documentExpiryDate",
      message: reasonMessages.DOCUMENT_EXPIRED,
    },
    { code: "OTHER", field: null, message: reasonMessages.OTHER },
  ],
  final: true,
};
const answered = (subStatus: string, revision: number): KycVerdict => ({
  outcome: "answered",
  subStatus,
  cardAccountId: null,
  revision,
  explanation,
});
const refusal: KycVerdict = { outcome: "refused", explanation };
const record: KycRecord = {
  ...newState,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
};

describe("reasons (G28)", () => {
  it.each([refusal, answered("rejected", 1)])(
    "are in the result of a declined submission: $outcome",
    (verdict) => {
      expect(toKycResult(applyVerdict(record, verdict))).toMatchObject(shown);
    },
  );

  it.each(["not_submitted", "pending_approval", "approved", "new"])(
    "are absent with the sub-status %s",
    (subStatus) => {
      const after = applyVerdict(record, answered(subStatus, 1));
      expect(after.explanation).toBeNull();
      expect(toKycResult(after)).not.toHaveProperty("reasons");
      expect(toKycResult(after)).not.toHaveProperty("final");
    },
  );

  it("are an empty list if the provider gave none", () => {
    expect(toKycResult(applyVerdict(record, { outcome: "refused" }))).toMatchObject({
      reasons: [],
      final: false,
    });
  });

  it("follow the provider's latest decision, and do not change with an unmapped status", () => {
    const rejected = applyVerdict(record, answered("rejected", 1));
    expect(applyVerdict(rejected, answered("new", 2))).toMatchObject({ status: "REJECTED", explanation });
    const { explanation: _, ...again } = answered("rejected", 2);
    expect(applyVerdict(rejected, again).explanation).toBeNull();
    expect(applyVerdict(rejected, answered("approved", 2)).explanation).toBeNull();
  });

  it("are the violations of a refusal, with the record's other fields", () => {
    const { code, details } = refusalOf(applyVerdict(record, refusal), true);
    expect({ code, details }).toMatchObject({
      code: "KYC_REFUSED",
      details: {
        kycRecordId: "kyc_1",
        replayed: true,
        violations: [
          {
            path: ["documentExpiryDate"],
            rule: "DOCUMENT_EXPIRED",
            message: reasonMessages.DOCUMENT_EXPIRED,
          },
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
    for (const verdict of [refusal, answered("rejected", 1)]) {
      const both = { ...verdict, restricted: [...restrictedReasons] };
      for (const one of [applyVerdict(record, both), withoutRestricted(both)]) {
        for (const code of restrictedReasons) expect(JSON.stringify(one)).not.toContain(code);
      }
      expect(withoutRestricted(both)).toEqual(verdict);
    }
  });
});

describe("the schema of a reason's field", () => {
  const parse = (field: unknown) => kycExplanation.safeParse({ reasons: [{ code: "OTHER", field }] }).success;

  it.each([null, "/name", "/documentExpiryDate", "/supportingDocuments", "/supportingDocuments/9/fileUrl"])(
    "accepts %s",
    (field) => expect(parse(field)).toBe(true),
  );

  it.each([
    "",
    "name",
    "/memberId",
    "/names",
    "/name/0",
    "/supportingDocuments/10",
    "/supportingDocuments/0/x",
    7,
  ])("rejects %j", (field) => expect(parse(field)).toBe(false));
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
