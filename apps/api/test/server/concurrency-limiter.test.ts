import { describe, expect, it } from "vitest";
import { createConcurrencyLimiter } from "../../src/server/concurrency-limiter.ts";

/** Of 128 at most, and so of 32 that may stay; the clock stands until a test moves it. */
function crowdOf(most: number) {
  let now = 0;
  const crowd = createConcurrencyLimiter(most, () => now);
  return {
    ...crowd,
    pass: (millis: number) => {
      now += millis;
    },
    /** How many of so many came in. */
    come: (count: number) => Array.from({ length: count }, () => crowd.enter()).filter(Boolean).length,
    go(count: number) {
      for (let gone = 0; gone < count; gone += 1) crowd.leave();
    },
  };
}

describe("a crowd", () => {
  it("comes in at once up to the most, and not beyond", () => {
    const { come, go } = crowdOf(128);
    expect(come(500)).toBe(128);
    go(3);
    expect(come(10)).toBe(3);
  });

  it("that stays is let shrink to a quarter, and is held there", () => {
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

  it("may burst again once most of it is gone", () => {
    const { come, go, pass } = crowdOf(128);
    come(128);
    pass(1_000);
    go(112);
    expect(come(500)).toBe(16);
    go(32 - 15);
    expect(come(500)).toBe(128 - 15);
  });

  it("of no more than a quarter may stay for ever", () => {
    const { come, go, pass } = crowdOf(128);
    for (let times = 0; times < 100; times += 1) {
      expect(come(31)).toBe(31);
      pass(10_000);
      go(31);
    }
  });

  it("of a few is none: all of them may stay", () => {
    const { come, pass } = crowdOf(4);
    expect(come(3)).toBe(3);
    pass(10_000);
    expect(come(2)).toBe(1);
  });

  it("of nobody lets nobody in", () => {
    expect(crowdOf(0).come(3)).toBe(0);
  });
});
