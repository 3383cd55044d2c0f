import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairShares, type FairSharesOptions } from "../../src/fair-shares/fair-shares.ts";

/** Shares whose work ends when the test says so. */
function world(options: FairSharesOptions) {
  const refused: string[] = [];
  const shares = createFairShares({ onRefused: (code) => refused.push(code), ...options });
  const running: { lane: string; end(fails?: boolean): void }[] = [];
  const results: Promise<unknown>[] = [];
  return {
    refused,
    running,
    usage: shares.usage,
    /** Starts a call. Resolves to "done" or the code of the error. */
    call(lane: string): Promise<string> {
      const work = () =>
        new Promise<string>((resolve, reject) => {
          const end = (fails = false) => {
            running.splice(running.indexOf(entry), 1);
            if (fails) reject({ code: "BROKEN" });
            else resolve("done");
          };
          const entry = { lane, end };
          running.push(entry);
        });
      const result = shares.run(lane, work).catch(({ code }) => code as string);
      results.push(result);
      return result;
    },
    held: (lane: string) => running.filter((entry) => entry.lane === lane).length,
    end: (lane: string) => running.find((entry) => entry.lane === lane)?.end(),
    async endAll() {
      while (running.length > 0) {
        running[0]?.end();
        await settle();
      }
      return Promise.all(results);
    },
  };
}

/** Lets all promises that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The result that a call has by now. */
const resultOf = (call: Promise<string>) => Promise.race([call, settle().then(() => "under way")]);

describe("the places of a resource", () => {
  it.each([
    [1, [1]],
    [1, [0, 1]],
    [8, [4]],
    [9, [3, 3]],
    [64, [32]],
    [63, [21, 21]],
  ])("of %i go to busy lanes in equal shares, beside the same for a newcomer", async (capacity, shares) => {
    const { call, held, endAll } = world({ capacity });
    const lanes = shares.map((_, lane) => `lane ${lane}`);
    for (let round = 0; round < capacity; round += 1) for (const lane of lanes) call(lane);
    await settle();
    expect(lanes.map(held).sort()).toEqual(shares);
    await endAll();
  });

  it("refuse a lane over its share with RATE_LIMITED, and one without a place with SERVICE_UNAVAILABLE", async () => {
    const { call, refused, endAll } = world({ capacity: 2 });
    call("one");
    expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
    call("two");
    expect(await resultOf(call("three"))).toBe("SERVICE_UNAVAILABLE");
    expect(refused).toEqual(["RATE_LIMITED", "SERVICE_UNAVAILABLE"]);
    await endAll();
  });

  it("count those in use, and the calls that wait", async () => {
    const { call, usage, end, endAll } = world({ capacity: 2, maxWaitMs: 1_000 });
    expect(usage()).toEqual({ capacity: 2, inUse: 0, waiting: 0 });
    for (const lane of ["one", "one", "two", "two"]) call(lane);
    await settle();
    expect(usage()).toEqual({ capacity: 2, inUse: 2, waiting: 2 });
    end("one");
    await settle();
    expect(usage()).toEqual({ capacity: 2, inUse: 2, waiting: 1 });
    await endAll();
    expect(usage()).toEqual({ capacity: 2, inUse: 0, waiting: 0 });
  });

  it("say when to retry, and why for the log", async () => {
    const shares = createFairShares({ capacity: 0 });
    await expect(shares.run("one", async () => "done")).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { retryAfterSeconds: 2, cause: { message: "share-used" } },
    });
  });

  it("are checked without taking one", async () => {
    const { refusal, run } = createFairShares({ capacity: 2 });
    expect([refusal("one"), refusal("one")]).toEqual([undefined, undefined]);
    await run("one", async () => {
      expect(refusal("one")).toMatchObject({ code: "RATE_LIMITED" });
      expect(refusal("two")).toBeUndefined();
    });
    expect(refusal("one")).toBeUndefined();
  });

  it("come back after success and failure", async () => {
    const { call, running } = world({ capacity: 1 });
    for (const fails of [true, false, true]) {
      const result = call("one");
      running[0]?.end(fails);
      expect(await result).toBe(fails ? "BROKEN" : "done");
    }
  });
});

describe("waiting", () => {
  const patient = { maxWaitMs: 1_000_000 };

  it("is in order within a lane", async () => {
    const shares = createFairShares({ capacity: 1, ...patient });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((nth) => shares.run("one", async () => void order.push(nth))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("ends first for the lane with the fewest places, and by turns for equal ones", async () => {
    const { call, running, end } = world({ capacity: 3, ...patient });
    for (const lane of ["a", "b", "c", "one", "one", "one", "two", "two", "three"]) call(lane);
    await settle();
    const order: (string | undefined)[] = [];
    for (const lane of ["a", "b", "c", "two", "one"]) {
      end(lane);
      await settle();
      order.push(running.at(-1)?.lane);
    }
    expect(order).toEqual(["one", "two", "three", "two", "one"]);
  });

  it("of one lane never delays another one that holds nothing, while a place is free", async () => {
    const { call, held, endAll } = world({ capacity: 10, ...patient });
    for (let nth = 0; nth < 100; nth += 1) call("one");
    await settle();
    expect(held("one")).toBe(5);
    for (const lane of ["two", "three", "four", "five", "six"]) {
      call(lane);
      await settle();
      expect(held(lane)).toBe(1);
    }
    expect(new Set(await endAll())).toEqual(new Set(["done"]));
  });

  describe("is limited", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    it("in time; a call that waited in vain holds no place and no turn", async () => {
      const { call, running } = world({ capacity: 1, maxWaitMs: 500 });
      const first = call("one");
      const late = [call("one"), call("two")];
      await vi.advanceTimersByTimeAsync(500);
      expect(await Promise.all(late.map(resultOf))).toEqual(["RATE_LIMITED", "SERVICE_UNAVAILABLE"]);
      const next = call("two");
      running[0]?.end();
      await settle();
      running[0]?.end();
      expect([await first, await next]).toEqual(["done", "done"]);
      expect(vi.getTimerCount()).toBe(0);
    });

    it.each([
      [
        "if no work of the lane succeeded meanwhile, the resource hangs",
        true,
        "fails",
        "SERVICE_UNAVAILABLE",
      ],
      ["if work of the lane succeeded meanwhile, it has used its share", true, "succeeds", "RATE_LIMITED"],
      ["a resource may be slow by its nature", false, "fails", "RATE_LIMITED"],
    ])("in time: %s", async (_, detectHang, end, code) => {
      const { call, running, endAll } = world({ capacity: 3, maxWaitMs: 500, detectHang });
      for (const lane of ["one", "one", "two"]) call(lane);
      const late = call("one");
      await vi.advanceTimersByTimeAsync(499);
      // A place of "one" goes to "three".
      call("three");
      running[0]?.end(end === "fails");
      await vi.advanceTimersByTimeAsync(1);
      expect([await resultOf(late), running.map(({ lane }) => lane)]).toEqual([
        code,
        ["one", "two", "three"],
      ]);
      await endAll();
    });

    it("in number, for each lane", async () => {
      const { call, endAll, refused } = world({ capacity: 1, ...patient, maxWaiting: 2 });
      for (let nth = 0; nth < 3; nth += 1) call("one");
      expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
      call("two");
      await endAll();
      expect(refused).toEqual(["RATE_LIMITED"]);
    });
  });
});

describe("any order of calls and ends", () => {
  const lane = fc.constantFrom("one", "two", "three", "four");
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), lane }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("end" as const), lane }) },
  );

  it.each([0, 1_000_000])("keeps the rule, with a wait of up to %i ms", async (maxWaitMs) => {
    const capacities = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(capacities, fc.array(step, { maxLength: 80 }), async (capacity, steps) => {
        const { call, end, endAll, held, running } = world({ capacity, maxWaitMs });
        let calls = 0;
        for (const { kind, lane } of steps) {
          const free = capacity - running.length;
          const before = held(lane);
          if (kind === "end") end(lane);
          else {
            calls += 1;
            call(lane);
          }
          await settle();
          expect(running.length).toBeLessThanOrEqual(capacity);
          if (kind === "call") expect(held(lane)).toBe(before < free ? before + 1 : before);
        }
        const results = await endAll();
        expect(results).toHaveLength(calls);
        if (maxWaitMs > 0) expect(results.every((result) => result === "done")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
