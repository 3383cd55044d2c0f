import { expect, it } from "vitest";
import { afterRejection, applyVerdict, type KycRecord, newState } from "../../src/index.ts";

const record: KycRecord = {
  ...newState,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
};
const after = (subStatus: string): KycRecord =>
  applyVerdict(record, { outcome: "answered", subStatus, cardAccountId: null, revision: 1 });
const declined = [applyVerdict(record, { outcome: "refused" }), after("rejected")];
const open = [record, ...["not_submitted", "pending_approval", "approved", "manual_review"].map(after)];

const decide = (latest: KycRecord, equal?: KycRecord, newKey = false) =>
  afterRejection.decide({ latest, equal, newKey });

it("starts a new record only after a rejection or a refusal (G16)", () => {
  for (const latest of declined) expect(decide(latest)).toBe("submit");
  for (const latest of open) expect(decide(latest)).toBe("conflict");
});

it("replays an equal record, and with a new key only one that was not declined", () => {
  for (const latest of [...declined, ...open]) {
    for (const equal of [...declined, ...open]) expect(decide(latest, equal)).toBe("replay");
    for (const equal of open) expect(decide(latest, equal, true)).toBe("replay");
    for (const equal of declined) expect(decide(latest, equal, true)).toBe(decide(latest));
  }
});
