import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRefusals } from "../../src/admission/refusals.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("refusals from the request head are counted by reason, and logged once a second for each caller", () => {
  const observed: unknown[] = [];
  const logged: unknown[] = [];
  const { byHead } = createRefusals(
    { observe: (event, labels) => observed.push({ event, ...labels }) },
    { full: () => {}, shed: (...line) => void logged.push(line) },
  );
  const platform = { kind: "platform", actor: "key_1", platformId: "plt_1" } as const;
  const app = { kind: "internal", actor: "key_2" } as const;
  for (let nth = 0; nth < 3; nth += 1) byHead(platform, "rate");
  byHead({ ...app, platformId: "plt_1" }, "slots");
  byHead({ ...app, platformId: "plt_2" }, "slots");
  const person = {
    personId: "per_1",
    roles: [],
    platforms: "all",
    authenticatedAt: null,
    expiresAt: new Date(),
  } as const;
  byHead({ ...app, platformId: "plt_2", person }, "slots");
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(logged).toEqual([
    [{ platformId: "plt_1" }, "rate", 3],
    [{ keyId: "key_2" }, "slots", 2],
    [{ personId: "per_1" }, "slots", 1],
  ]);
  expect(observed).toHaveLength(6);
  expect(observed[3]).toEqual({ event: "request_shed", reason: "slots" });
});
