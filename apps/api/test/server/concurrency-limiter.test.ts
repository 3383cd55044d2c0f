import { describe, expect, it } from "vitest";
import { createConcurrencyLimiter } from "../../src/server/concurrency-limiter.ts";

/** A limiter with a maximum of 128 and a steady number of 32, with a manual clock. */
function crowdOf(most: number) {
  let now = 0;
  const crowd = createConcurrencyLimiter(most, () => now);
  return {
    ...crowd,
    pass: (millis: number) => {
      now += millis;
    },
    /** Tries to admit `count` requests; returns the number of admitted ones. */
    come: (count: number) => Array.from({ length: count }, () => crowd.enter()).filter(Boolean).length,
    go(count: number) {
      for (let gone = 0; gone < count; gone += 1) crowd.leave();
    },
  };
}

describe("the concurrency limiter", () => {
  it("admits a burst up to the maximum", () => {
    const { come, go } = crowdOf(128);
    expect(come(500)).toBe(128);
    go(3);
    expect(come(10)).toBe(3);
  });

  it("limits a constant load to a quarter of the maximum", () => {
    const { come, go, pass } = crowdOf(128);
    expect(come(100)).toBe(100);
    pass(251);
    expect(come(1)).toBe(0);
    go(68);
    expect(come(1)).toBe(0);
    for (let times = 0; times < 50; times += 1) {
      go(1);
      pass(100);
      expect(come(5)).toBe(1);
    }
  });

  it("admits another burst after the load has dropped", () => {
    const { come, go, pass } = crowdOf(128);
    come(128);
    pass(1_000);
    go(112);
    expect(come(500)).toBe(16);
    go(32 - 15);
    expect(come(500)).toBe(128 - 15);
  });

  it("admits a constant load of up to a quarter without a time limit", () => {
    const { come, go, pass } = crowdOf(128);
    for (let times = 0; times < 100; times += 1) {
      expect(come(31)).toBe(31);
      pass(10_000);
      go(31);
    }
  });

  it("never limits a few requests", () => {
    const { come, pass } = crowdOf(4);
    expect(come(3)).toBe(3);
    pass(10_000);
    expect(come(2)).toBe(1);
  });

  it("admits nothing with a maximum of 0", () => {
    expect(crowdOf(0).come(3)).toBe(0);
  });
});
