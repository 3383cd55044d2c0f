import { describe, expect, it } from "vitest";
import { type Attempt, planRetry } from "../../src/index.ts";
import { recordAfter } from "./submission-body.ts";

describe("the next attempt after a reply without a verdict", () => {
  const attempt = (step: Attempt["step"], notFound = 0, number = 1) =>
    ({ step, notFound, record: { ...recordAfter(), attempt: number }, submission: {} }) as Attempt;
  const next = (current: Attempt, answer: Parameters<typeof planRetry>[1]) => {
    const { step, notFound } = planRetry(current, answer);
    return { step, notFound };
  };
  const unknown = { outcome: "unknown", reason: "deadline" } as const;
  const unsent = { outcome: "unsent", reason: "connection-refused" } as const;
  const notFound = { outcome: "not-found" } as const;

  it("sends again if nothing reached the provider", () => {
    expect(next(attempt("send"), unsent)).toEqual({ step: "send", notFound: 0 });
  });

  it("queries first, and sends again only after repeated not-found replies", () => {
    expect(next(attempt("send"), unknown)).toEqual({ step: "ask", notFound: 0 });
    expect(next(attempt("ask"), notFound)).toEqual({ step: "ask", notFound: 1 });
    expect(next(attempt("ask", 1), unknown)).toEqual({ step: "ask", notFound: 1 });
    expect(next(attempt("ask", 1), notFound)).toEqual({ step: "send", notFound: 2 });
    expect(next(attempt("send", 2), unknown)).toEqual({ step: "ask", notFound: 0 });
  });

  it("is not planned if further attempts get the same reply", () => {
    const { step, needsAttention } = planRetry(attempt("send"), { ...unknown, needsAttention: true });
    expect({ step, needsAttention }).toEqual({ step: "ask", needsAttention: true });
    expect(planRetry(attempt("send"), unknown)).not.toHaveProperty("needsAttention");
  });

  it("doubles its delay within limits and respects Retry-After", () => {
    const backoff = { firstMs: 1_000, maxMs: 30_000 };
    const delay = (number: number, random: number) =>
      planRetry(attempt("ask", 0, number), unknown, backoff, random).delayMs;
    expect([1, 2, 3, 6, 60].map((number) => delay(number, 1))).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(delay(1, 0)).toBe(500);
    const asked = { ...unknown, retryAfterSeconds: 40 };
    expect(planRetry(attempt("send"), asked, backoff, 0).delayMs).toBe(40_000);
    expect(planRetry(attempt("send"), asked, backoff, 1).delayMs).toBe(44_000);
  });

  it("computes its delay from the number of not-found replies", () => {
    const delay = (times: number) =>
      planRetry(attempt("ask", times, 9), notFound, { firstMs: 1_000, maxMs: 30_000 }, 1).delayMs;
    expect([0, 1, 2].map(delay)).toEqual([2_000, 4_000, 8_000]);
  });
});
