import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Attempt,
  applyManualDecision,
  applyVerdict,
  isFinal,
  isReversal,
  type KycState,
  type KycVerdict,
  type knownSubStatuses,
  newState,
  planRetry,
} from "../src/index.ts";

const yes = (subStatus: string, revision: number): KycVerdict => ({
  outcome: "answered",
  subStatus,
  cardAccountId: null,
  revision,
});
const verdicts = fc.oneof(
  fc.constant<KycVerdict>({ outcome: "refused" }),
  fc
    .tuple(fc.constantFrom("not_submitted", "pending_approval", "approved", "rejected", "new"), fc.nat(6))
    .map(([subStatus, revision]) => yes(subStatus, revision)),
);
const all = (state: KycState, given: readonly KycVerdict[]) => given.reduce<KycState>(applyVerdict, state);

describe("verdicts that come twice, late and in any order", () => {
  it("change nothing the second time", () => {
    fc.assert(
      fc.property(fc.array(verdicts), verdicts, (earlier, verdict) => {
        const once = applyVerdict(all(newState, earlier), verdict);
        expect(applyVerdict(once, verdict)).toBe(once);
      }),
    );
  });

  it("never take a final status back to a pending one", () => {
    fc.assert(
      fc.property(fc.array(verdicts), verdicts, (earlier, verdict) => {
        const before = all(newState, earlier);
        const after = applyVerdict(before, verdict);
        if (isFinal(before)) expect(isFinal(after)).toBe(true);
        expect(after.revision ?? -1).toBeGreaterThanOrEqual(before.revision ?? -1);
      }),
    );
  });

  it("end with the provider's latest decision, whatever order they came in", () => {
    const decisions = [yes("pending_approval", 1), yes("approved", 2), yes("rejected", 3)];
    fc.assert(
      fc.property(fc.shuffledSubarray(decisions, { minLength: 3 }), (order) => {
        expect(all(newState, order)).toMatchObject({ status: "REJECTED", revision: 3 });
      }),
    );
  });

  it("are told apart when one final status gives way to the other", () => {
    const approved = applyVerdict(newState, yes("approved", 1));
    expect(isReversal(approved, applyVerdict(approved, yes("rejected", 2)))).toBe(true);
    expect(isReversal(approved, applyVerdict(approved, yes("approved", 2)))).toBe(false);
    expect(isReversal(newState, approved)).toBe(false);
  });
});

describe("a refusal", () => {
  const refused = applyVerdict(newState, { outcome: "refused" });

  it.each(["approved", "rejected"])("gives way when the provider decides %s after all", (subStatus) => {
    const after = applyVerdict(refused, yes(subStatus, 1));
    expect(after).toMatchObject({ settlement: "answered", subStatus, revision: 1 });
    expect(isReversal(refused, after)).toBe(true);
  });

  it.each(["not_submitted", "pending_approval", "new"])("never gives way to %s", (subStatus) => {
    expect(applyVerdict(refused, yes(subStatus, 1))).toBe(refused);
  });

  it("replaces nothing that the provider has decided", () => {
    const approved = applyVerdict(newState, yes("approved", 1));
    expect(applyVerdict(approved, { outcome: "refused" })).toBe(approved);
  });
});

describe("a person's word", () => {
  const word = (subStatus: (typeof knownSubStatuses)[number]) =>
    ({ outcome: "answered", subStatus, cardAccountId: "acct_1" }) as const;
  const approved = applyManualDecision(newState, word("approved"));

  it("settles an unsettled record without a count of the provider's", () => {
    expect(approved).toEqual({
      settlement: "answered",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
      revision: null,
    });
    expect(applyManualDecision(newState, { outcome: "refused" })).toEqual({
      ...newState,
      settlement: "refused",
    });
  });

  it("changes nothing else", () => {
    for (const state of [applyVerdict(newState, yes("pending_approval", 1)), approved])
      expect(applyManualDecision(state, { outcome: "refused" })).toBe(state);
  });

  it("gives way to whatever the provider itself decides later", () => {
    const rejected = applyVerdict(approved, yes("rejected", 0));
    expect(rejected).toMatchObject({ status: "REJECTED", revision: 0 });
    const refused = applyVerdict(approved, { outcome: "refused" });
    expect(refused).toEqual({ ...newState, settlement: "refused" });
    for (const after of [rejected, refused]) expect(isReversal(approved, after)).toBe(true);
    const refusedByHand = applyManualDecision(newState, { outcome: "refused" });
    expect(applyVerdict(refusedByHand, yes("approved", 1))).toMatchObject({ status: "APPROVED" });
  });

  it("stands while the provider has not decided", () => {
    expect(applyVerdict(approved, yes("pending_approval", 1))).toBe(approved);
  });
});

describe("an attempt that settled nothing", () => {
  const attempt = (step: Attempt["step"], notFound = 0, number = 1) =>
    ({
      step,
      notFound,
      record: {
        ...newState,
        kycRecordId: "kyc_1",
        externalUserId: "usr_1",
        attempt: number,
        createdAt: new Date(0),
      },
      submission: {},
    }) as Attempt;
  const next = (given: Attempt, answer: Parameters<typeof planRetry>[1]) => {
    const { step, notFound } = planRetry(given, answer);
    return { step, notFound };
  };
  const unknown = { outcome: "unknown", reason: "deadline" } as const;
  const unsent = { outcome: "unsent", reason: "connection-refused" } as const;
  const notFound = { outcome: "not-found" } as const;

  it("is simply sent again when provably nothing arrived", () => {
    expect(next(attempt("send"), unsent)).toEqual({ step: "send", notFound: 0 });
  });

  it("asks before anything is sent again, and sends only after repeated not-found", () => {
    expect(next(attempt("send"), unknown)).toEqual({ step: "ask", notFound: 0 });
    expect(next(attempt("ask"), notFound)).toEqual({ step: "ask", notFound: 1 });
    expect(next(attempt("ask", 1), unknown)).toEqual({ step: "ask", notFound: 1 });
    expect(next(attempt("ask", 1), notFound)).toEqual({ step: "send", notFound: 2 });
    expect(next(attempt("send", 2), unknown)).toEqual({ step: "ask", notFound: 0 });
  });

  it("waits longer each time, within bounds, and never less than the provider asked for", () => {
    const backoff = { firstMs: 1_000, maxMs: 30_000 };
    const delay = (number: number, random: number) =>
      planRetry(attempt("ask", 0, number), unknown, backoff, random).delayMs;
    expect([1, 2, 3, 6, 60].map((number) => delay(number, 1))).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(delay(1, 0)).toBe(500);
    const asked = { ...unknown, retryAfterSeconds: 40 };
    expect(planRetry(attempt("send"), asked, backoff, 0).delayMs).toBe(40_000);
    expect(planRetry(attempt("send"), asked, backoff, 1).delayMs).toBe(44_000);
  });

  it("waits by how often it was not found, however many attempts there were", () => {
    const delay = (times: number) =>
      planRetry(attempt("ask", times, 9), notFound, { firstMs: 1_000, maxMs: 30_000 }, 1).delayMs;
    expect([0, 1, 2].map(delay)).toEqual([2_000, 4_000, 8_000]);
  });
});
