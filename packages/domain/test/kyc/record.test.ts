import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyManualDecision,
  applyVerdict,
  isFinal,
  isReversal,
  type KycState,
  type KycVerdict,
  type knownSubStatuses,
  newState,
} from "../../src/index.ts";
import { answered } from "./submission-body.ts";

const verdicts = fc.oneof(
  fc.constant<KycVerdict>({ outcome: "refused" }),
  fc
    .tuple(
      fc.constantFrom("not_submitted", "pending_approval", "approved", "rejected", "new"),
      fc.option(fc.nat(6)),
    )
    .map(([subStatus, revision]): KycVerdict => answered(subStatus, revision)),
);
const applyAll = (state: KycState, verdicts: readonly KycVerdict[]) =>
  verdicts.reduce<KycState>(applyVerdict, state);

describe("verdicts that arrive repeatedly, late or in any order", () => {
  it("change nothing the second time", () => {
    fc.assert(
      fc.property(fc.array(verdicts), verdicts, (earlier, verdict) => {
        const once = applyVerdict(applyAll(newState, earlier), verdict);
        expect(applyVerdict(once, verdict)).toBe(once);
      }),
    );
  });

  it("never replace a final status with a pending status", () => {
    fc.assert(
      fc.property(fc.array(verdicts), verdicts, (earlier, verdict) => {
        const before = applyAll(newState, earlier);
        const after = applyVerdict(before, verdict);
        if (isFinal(before)) expect(isFinal(after)).toBe(true);
        expect(after.revision ?? -1).toBeGreaterThanOrEqual(before.revision ?? -1);
      }),
    );
  });

  it("result in the provider's latest decision", () => {
    const decisions = [answered("pending_approval", 1), answered("approved", 2), answered("rejected", 3)];
    fc.assert(
      fc.property(fc.shuffledSubarray(decisions, { minLength: 3 }), (order) => {
        expect(applyAll(newState, order)).toMatchObject({ status: "REJECTED", revision: 3 });
      }),
    );
  });

  it("receive the next revision if they have none, once per change", () => {
    const pending = applyVerdict(newState, answered("pending_approval", null));
    expect(pending).toMatchObject({ status: "PENDING_APPROVAL", revision: 1 });
    expect(applyVerdict(pending, answered("pending_approval", null))).toBe(pending);
    const rejected = applyVerdict(pending, answered("rejected", null));
    expect(rejected).toMatchObject({ status: "REJECTED", revision: 2 });
    expect(applyVerdict(rejected, answered("pending_approval", null))).toBe(rejected);
    expect(applyVerdict(rejected, { outcome: "refused" })).toBe(rejected);
    const approved = applyVerdict(rejected, answered("approved", null));
    expect(approved).toMatchObject({ status: "APPROVED", revision: 3 });
  });

  it("are reversals if one final status replaces the other", () => {
    const approved = applyVerdict(newState, answered("approved", 1));
    expect(isReversal(approved, applyVerdict(approved, answered("rejected", 2)))).toBe(true);
    expect(isReversal(approved, applyVerdict(approved, answered("approved", 2)))).toBe(false);
    expect(isReversal(newState, approved)).toBe(false);
  });
});

describe("the unified status (G10)", () => {
  it.each([
    ["not_submitted", "PENDING"],
    ["pending_approval", "PENDING_APPROVAL"],
    ["approved", "APPROVED"],
    ["rejected", "REJECTED"],
  ])("maps %s to %s", (subStatus, status) => {
    const resolution = "answered";
    expect(applyVerdict(newState, answered(subStatus))).toMatchObject({ resolution, status, subStatus });
  });

  it("comes from the adapter for a raw value of its provider", () => {
    const after = applyVerdict(newState, { ...answered("READY", null), status: "APPROVED" });
    expect(after).toMatchObject({ status: "APPROVED", subStatus: "READY" });
    expect(isFinal(after)).toBe(true);
  });

  it("stays unchanged when a raw value has no mapping", () => {
    const first = applyVerdict(newState, answered("manual_review", 1));
    expect(first).toMatchObject({ status: null, subStatus: "manual_review" });
    const pending = applyVerdict(newState, { ...answered("pending_approval", 1), cardAccountId: "acct_1" });
    expect(applyVerdict(pending, answered("manual_review", 2))).toMatchObject({
      resolution: "answered",
      status: "PENDING_APPROVAL",
      subStatus: "manual_review",
      cardAccountId: "acct_1",
    });
  });
});

describe("a refusal", () => {
  const refused = applyVerdict(newState, { outcome: "refused" });

  it.each(["approved", "rejected"])("is replaced by the later decision %s of the provider", (subStatus) => {
    const after = applyVerdict(refused, answered(subStatus, 1));
    expect(after).toMatchObject({ resolution: "answered", subStatus, revision: 1 });
    expect(isReversal(refused, after)).toBe(true);
  });

  it.each(["not_submitted", "pending_approval", "new"])("is never replaced by %s", (subStatus) => {
    expect(applyVerdict(refused, answered(subStatus, 1))).toBe(refused);
  });

  it("never replaces a decision of the provider", () => {
    const approved = applyVerdict(newState, answered("approved"));
    expect(applyVerdict(approved, { outcome: "refused" })).toBe(approved);
  });
});

describe("a manual decision", () => {
  const decide = (subStatus: (typeof knownSubStatuses)[number]) =>
    ({ outcome: "answered", subStatus, cardAccountId: "acct_1" }) as const;
  const approved = applyManualDecision(newState, decide("approved"));

  it("resolves an unresolved record without a revision", () => {
    expect(approved).toEqual({
      resolution: "answered",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
      revision: null,
      explanation: null,
    });
    expect(applyManualDecision(newState, { outcome: "refused" })).toEqual({
      ...newState,
      resolution: "refused",
    });
  });

  it("does not change a resolved record", () => {
    for (const state of [applyVerdict(newState, answered("pending_approval", 1)), approved])
      expect(applyManualDecision(state, { outcome: "refused" })).toBe(state);
  });

  it("is replaced by any later decision of the provider, not by a pending status", () => {
    expect(applyVerdict(approved, answered("pending_approval"))).toBe(approved);
    const rejected = applyVerdict(approved, answered("rejected", 0));
    expect(rejected).toMatchObject({ status: "REJECTED", revision: 0 });
    const refused = applyVerdict(approved, { outcome: "refused" });
    expect(refused).toEqual({ ...newState, resolution: "refused" });
    for (const after of [rejected, refused]) expect(isReversal(approved, after)).toBe(true);
    const refusedManually = applyManualDecision(newState, { outcome: "refused" });
    expect(applyVerdict(refusedManually, answered("approved", 1))).toMatchObject({ status: "APPROVED" });
  });
});
