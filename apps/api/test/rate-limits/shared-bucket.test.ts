import type { RateLimits } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createRateLimiter, type RateLimiter } from "../../src/rate-limits/rate-limiter.ts";
import { fakeRateLimits } from "../support/fake-rate-limits.ts";

/** Processes that share buckets (G22), with a manual clock. */
function world(count: number, rate = { calls: 600, seconds: 60 }) {
  const clock = { millis: 0 };
  const now = () => clock.millis;
  const shared = fakeRateLimits(now, count);
  const state = { away: false, leases: 0, failures: 0 };
  const limits: RateLimits = {
    lease(...input) {
      state.leases += 1;
      return state.away ? Promise.reject(new Error("away")) : shared.lease(...input);
    },
  };
  const fail = () => {
    state.failures += 1;
  };
  const processes = Array.from({ length: count }, () =>
    createRateLimiter({
      rateOf: (platformId) => (platformId === "demo" ? undefined : rate),
      limits,
      observer: { observe: fail },
      now,
    }),
  );
  return { clock, state, processes };
}

const call = async (process: RateLimiter | undefined, platformId = "plt_1") =>
  Number((await process?.count(platformId, "query"))?.allowed);

/** The allowed ones of as many calls of each process, which take turns. */
async function calls(processes: readonly RateLimiter[], each: number): Promise<number> {
  let allowed = 0;
  for (let i = 0; i < each; i += 1) {
    for (const process of processes) allowed += await call(process);
  }
  return allowed;
}

describe("three processes", () => {
  it("together allow a burst of exactly the limit, and then its rate", async () => {
    const { clock, processes } = world(3);
    expect(await calls(processes, 300)).toBe(600);
    let allowed = 0;
    for (let i = 0; i < 600; i += 1) {
      clock.millis += 100;
      allowed += await calls(processes, 3);
    }
    expect(allowed).toBeGreaterThan(590);
    expect(allowed).toBeLessThanOrEqual(600);
  });

  it("exceed the limit of no window by more than a tenth, whatever they held before", async () => {
    const { clock, processes } = world(3, { calls: 600, seconds: 6 });
    // Each holds as much as it may, while the bucket becomes full again.
    for (let i = 0; i < 40; i += 1) {
      clock.millis += 10;
      await calls(processes, 1);
    }
    clock.millis += 9_000;
    const burst = await calls(processes, 400);
    expect(burst).toBeGreaterThan(600);
    expect(burst).toBeLessThanOrEqual(660);
  });

  it("of which one is used alone have the whole limit", async () => {
    const { processes } = world(3);
    expect(await calls(processes.slice(0, 1), 700)).toBe(600);
  });

  it("keep to a third of the rate each while nothing can be leased", async () => {
    const { clock, state, processes } = world(3);
    await calls(processes, 200);
    state.away = true;
    clock.millis += 1_000;
    let allowed = 0;
    for (let i = 0; i < 600; i += 1) {
      clock.millis += 100;
      allowed += await calls(processes, 3);
    }
    expect(allowed).toBeGreaterThan(540);
    expect(allowed).toBeLessThanOrEqual(660);
    expect(state.failures).toBeLessThanOrEqual(3 * 60);
    state.away = false;
    clock.millis += 60_000;
    // The first call after an outage still counts against the own share.
    await calls(processes, 1);
    expect(await calls(processes, 300)).toBeLessThanOrEqual(600);
  });
});

describe("a process", () => {
  it("asks the database rarely, and not at all for an unlimited platform", async () => {
    const { clock, state, processes } = world(1, { calls: 60_000, seconds: 60 });
    for (let i = 0; i < 2_000; i += 1) {
      clock.millis += 2;
      await call(processes[0]);
    }
    expect(state.leases).toBeLessThan(25);
    const before = state.leases;
    expect(processes[0]?.count("demo", "query")).toBeUndefined();
    expect(state.leases).toBe(before);
  });

  it("counts without waiting while it holds tokens, or knows that there are none", async () => {
    const { processes } = world(1, { calls: 40, seconds: 40 });
    const [process] = processes;
    const waits = [];
    for (let i = 0; i < 42; i += 1) {
      const counted = process?.count("plt_1", "query");
      waits.push(counted instanceof Promise);
      await counted;
    }
    expect(waits.filter((each) => each).length).toBeLessThan(20);
    expect(waits.at(-1)).toBe(false);
  });

  it("does not ask for each refused call", async () => {
    const { state, processes } = world(1, { calls: 10, seconds: 10 });
    await calls(processes, 11);
    const before = state.leases;
    expect(await calls(processes, 100)).toBe(0);
    expect(state.leases).toBe(before);
  });

  it("takes one lease for calls that wait together", async () => {
    const { state, processes } = world(1);
    const together = await Promise.all(Array.from({ length: 50 }, () => call(processes[0])));
    expect(together.every((allowed) => allowed === 1)).toBe(true);
    expect(state.leases).toBe(2);
  });

  it("lets tokens expire that it does not use", async () => {
    const { clock, state, processes } = world(1, { calls: 100, seconds: 86_400 });
    await calls(processes, 8);
    const before = state.leases;
    clock.millis += 10_001;
    await calls(processes, 1);
    expect(state.leases).toBe(before + 1);
  });

  it("reports no more than it can count on", async () => {
    const { processes } = world(3, { calls: 300, seconds: 86_400 });
    const [one, two] = processes;
    const left = async (process: RateLimiter | undefined) =>
      Number(/r=(\d+)/.exec((await process?.count("plt_1", "query"))?.headers.ratelimit ?? "")?.[1]);
    expect(await left(one)).toBeLessThanOrEqual(100);
    while (await call(two));
    const promised = await left(one);
    expect(promised).toBeLessThanOrEqual(30);
  });

  it("knows an empty bucket without the database, until it may have gained a token", async () => {
    const { clock, state, processes } = world(1, { calls: 2, seconds: 60 });
    const [process] = processes;
    const isExceeded = () => process?.isExceeded("plt_1", "query");
    expect([isExceeded(), process?.state("plt_1", "query")]).toMatchObject([false, { allowed: true }]);
    expect(await calls(processes, 2)).toBe(2);
    expect(isExceeded()).toBe(false);
    expect(await calls(processes, 1)).toBe(0);
    const { leases } = state;
    for (let nth = 0; nth < 5; nth += 1) {
      expect(isExceeded()).toBe(true);
      const headers = { ratelimit: '"reads";r=0;t=30' };
      expect(process?.state("plt_1", "query")).toMatchObject({
        allowed: false,
        retryAfterSeconds: 30,
        headers,
      });
    }
    expect(process?.isExceeded("plt_1", "mutation")).toBe(false);
    expect(state.leases).toBe(leases);
    clock.millis += 30_000;
    expect(isExceeded()).toBe(false);
    expect(await calls(processes, 1)).toBe(1);
  });

  it("knows its own share as empty while the database is away, and asks again after a second", async () => {
    const { clock, state, processes } = world(1, { calls: 2, seconds: 86_400 });
    const [process] = processes;
    const isExceeded = () => process?.isExceeded("plt_1", "query");
    state.away = true;
    expect(await calls(processes, 2)).toBe(2);
    expect(isExceeded()).toBe(true);
    clock.millis += 1_000;
    expect(isExceeded()).toBe(false);
  });

  it("keeps to its own share while the database does not answer", async () => {
    const limiter = createRateLimiter({
      rateOf: () => ({ calls: 5, seconds: 86_400 }),
      limits: { lease: () => new Promise(() => {}) },
      observer: { observe: () => {} },
    });
    expect(await calls([limiter], 20)).toBe(5);
  });
});
