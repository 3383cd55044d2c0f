import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countRefusals } from "../../src/fair-shares/count-refusals.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("refusals are counted by resource, and logged once a second", async () => {
  const observed: unknown[] = [];
  const logged: number[] = [];
  const count = countRefusals(
    { observe: (event, labels) => observed.push({ event, ...labels }) },
    { full: (refused) => void logged.push(refused) },
  );
  const [reads, uploads] = [count("reads"), count("uploads")];
  for (let nth = 0; nth < 50; nth += 1) reads("RATE_LIMITED");
  uploads("SERVICE_UNAVAILABLE");
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(logged).toEqual([51]);
  vi.advanceTimersByTime(5_000);
  reads("RATE_LIMITED");
  vi.advanceTimersByTime(1_000);
  expect(logged).toEqual([51, 1]);
  expect(observed).toHaveLength(52);
  expect(observed[50]).toEqual({
    event: "share_refused",
    resource: "uploads",
    outcome: "SERVICE_UNAVAILABLE",
  });
});
