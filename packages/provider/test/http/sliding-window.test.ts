import { CircuitState } from "cockatiel";
import { describe, expect, it } from "vitest";
import { createSlidingWindow } from "../../src/http/sliding-window.ts";

describe("the sliding window", () => {
  const closed = CircuitState.Closed;

  function createWindow(minCalls: number) {
    const clock = { now: 0 };
    return {
      clock,
      window: createSlidingWindow({ windowMs: 1_000, minCalls, failureRatio: 0.5, now: () => clock.now }),
    };
  }

  it("opens the breaker when half of the minimum number of calls failed", () => {
    const { window } = createWindow(4);
    window.success(closed);
    window.success(closed);
    expect([window.failure(closed), window.failure(closed)]).toEqual([false, true]);
  });

  it("drops calls that are older than the window, even with few calls", () => {
    const { window, clock } = createWindow(4);
    for (let call = 0; call < 50; call += 1) {
      clock.now += 400;
      expect(window.failure(closed)).toBe(false);
    }
  });

  it("is empty after a successful trial", () => {
    const { window } = createWindow(2);
    window.failure(closed);
    window.success(CircuitState.HalfOpen);
    window.success(closed);
    expect(window.failure(closed)).toBe(false);
  });
});
