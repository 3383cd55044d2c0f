import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countShed } from "../../src/load-shedding/count-shed.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("refusals by head are counted by reason, and logged by platform once a second", () => {
  const observed: unknown[] = [];
  const logged: unknown[] = [];
  const count = countShed(
    { observe: (event, labels) => observed.push({ event, ...labels }) },
    { shed: (...line) => void logged.push(line) },
  );
  for (let nth = 0; nth < 50; nth += 1) count("plt_1", "rate");
  count("plt_1", "share");
  count("plt_2", "rate");
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(1_000);
  const first = [
    ["plt_1", "rate", 50],
    ["plt_1", "share", 1],
    ["plt_2", "rate", 1],
  ];
  expect(logged).toEqual(first);
  vi.advanceTimersByTime(5_000);
  count("plt_2", "share");
  vi.advanceTimersByTime(1_000);
  expect(logged).toEqual([...first, ["plt_2", "share", 1]]);
  expect(observed).toHaveLength(53);
  expect(observed[50]).toEqual({ event: "request_shed", reason: "share" });
});
