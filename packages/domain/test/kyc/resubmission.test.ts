import { expect, it } from "vitest";
import { afterRejection, applyVerdict, type KycRecord, newState } from "../../src/index.ts";

const record: KycRecord = {
  ...newState,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
};
const answered = (subStatus: string) =>
  ({ outcome: "answered", subStatus, cardAccountId: null, revision: 1 }) as const;

it("starts a new record only after a rejection or a refusal (G16)", () => {
  const after = (subStatus: string) => ({ ...record, ...applyVerdict(record, answered(subStatus)) });
  const refused = { ...record, ...applyVerdict(record, { outcome: "refused" }) };
  const same = { equal: true, newKey: false };
  const other = { equal: false, newKey: false };
  expect(afterRejection.decide(record, same)).toBe("replay");
  expect(afterRejection.decide(refused, same)).toBe("replay");
  for (const final of [refused, after("rejected")]) {
    expect(afterRejection.decide(final, other)).toBe("submit");
    expect(afterRejection.decide(final, { equal: true, newKey: true })).toBe("submit");
  }
  for (const subStatus of ["not_submitted", "pending_approval", "approved", "manual_review"]) {
    expect(afterRejection.decide(after(subStatus), other)).toBe("conflict");
    expect(afterRejection.decide(after(subStatus), { equal: true, newKey: true })).toBe("replay");
  }
  expect(afterRejection.decide(record, other)).toBe("conflict");
});
