import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairSemaphore, type FairSemaphoreOptions } from "../../src/admission/fair-semaphore.ts";

/** A semaphore. Each call ends when the test ends it. */
function world(options: FairSemaphoreOptions) {
  const refused: string[] = [];
  const slots = createFairSemaphore({ onRefused: (code) => refused.push(code), ...options });
  const running: { holder: string; end(fails?: boolean): void }[] = [];
  const results: Promise<unknown>[] = [];
  return {
    refused,
    running,
    usage: slots.usage,
    /** Starts a call. Resolves to "done" or the code of the error. */
    call(holder: string): Promise<string> {
      const work = () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        const end = (fails = false) => {
          running.splice(running.indexOf(entry), 1);
          if (fails) reject({ code: "BROKEN" });
          else resolve("done");
        };
        const entry = { holder, end };
        running.push(entry);
        return promise;
      };
      const result = slots.run(holder, work).catch(({ code }) => code as string);
      results.push(result);
      return result;
    },
    held: (holder: string) => running.filter((entry) => entry.holder === holder).length,
    end: (holder: string) => running.find((entry) => entry.holder === holder)?.end(),
    async endAll() {
      while (running.length > 0) {
        running[0]?.end();
        await settle();
      }
      return Promise.all(results);
    },
  };
}

/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The result of a call, or "in progress". */
const resultOf = (call: Promise<string>) => Promise.race([call, settle().then(() => "in progress")]);

describe("a fair semaphore", () => {
  it.each([
    [1, [0, 1]],
    [8, [4]],
    [63, [21, 21]],
  ])("divides %i slots equally among the busy holders and one new holder", async (capacity, shares) => {
    const { call, held, endAll } = world({ capacity });
    const holders = shares.map((_, holder) => `holder ${holder}`);
    for (let round = 0; round < capacity; round += 1) for (const holder of holders) call(holder);
    await settle();
    expect(holders.map(held).sort()).toEqual(shares);
    await endAll();
  });

  it("returns RATE_LIMITED over the fair limit, and SERVICE_UNAVAILABLE when no slot is free", async () => {
    const { call, refused, endAll } = world({ capacity: 2 });
    call("one");
    expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
    call("two");
    expect(await resultOf(call("three"))).toBe("SERVICE_UNAVAILABLE");
    expect(refused).toEqual(["RATE_LIMITED", "SERVICE_UNAVAILABLE"]);
    await endAll();
  });

  it("counts the slots in use and the waiting calls", async () => {
    const { call, usage, end, endAll } = world({ capacity: 2, maxWaitMs: 1_000 });
    expect(usage()).toEqual({ capacity: 2, inUse: 0, waiting: 0 });
    for (const holder of ["one", "one", "two", "two"]) call(holder);
    await settle();
    expect(usage()).toEqual({ capacity: 2, inUse: 2, waiting: 2 });
    end("one");
    await settle();
    expect(usage()).toEqual({ capacity: 2, inUse: 2, waiting: 1 });
    await endAll();
    expect(usage()).toEqual({ capacity: 2, inUse: 0, waiting: 0 });
  });

  it("reports when to retry, and the reason for the log", async () => {
    const slots = createFairSemaphore({ capacity: 0 });
    await expect(slots.run("one", async () => "done")).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { retryAfterSeconds: 2, cause: { message: "no-slot" } },
    });
  });

  it("frees a slot once, even if the slot is released several times", () => {
    const { tryTake, usage } = createFairSemaphore({ capacity: 4 });
    const [first, second] = [tryTake("one"), tryTake("one")];
    first?.release();
    first?.release();
    expect([first?.held, second?.held, usage().inUse]).toEqual([false, true, 1]);
  });

  it.each([
    [9, 5],
    [0, 0],
  ])("with %i slots gives %i to a single holder, and reports that number in advance", (capacity, room) => {
    const slots = createFairSemaphore({ capacity });
    expect(slots.room("one")).toBe(room);
    let taken = 0;
    while (slots.tryTake("one")) taken += 1;
    expect([taken, slots.room("one")]).toEqual([room, 0]);
  });

  it("returns the slot after success and after failure", async () => {
    const { call, running } = world({ capacity: 1 });
    for (const fails of [true, false, true]) {
      const result = call("one");
      running[0]?.end(fails);
      expect(await result).toBe(fails ? "BROKEN" : "done");
    }
  });

  it("checks a holder's limit without taking a slot", async () => {
    const { refusal, run } = createFairSemaphore({ capacity: 2 });
    expect([refusal("one"), refusal("one")]).toEqual([undefined, undefined]);
    await run("one", async () => {
      expect(refusal("one")).toMatchObject({ code: "RATE_LIMITED" });
      expect(refusal("two")).toBeUndefined();
    });
    expect(refusal("one")).toBeUndefined();
  });
});

describe("waiting", () => {
  const patient = { maxWaitMs: 1_000_000 };

  it("is first in, first out within a holder", async () => {
    const slots = createFairSemaphore({ capacity: 1, ...patient });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((nth) => slots.run("one", async () => void order.push(nth))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("ends first for the holder with the fewest slots, and alternates between equal holders", async () => {
    const { call, running, end } = world({ capacity: 3, ...patient });
    for (const holder of ["a", "b", "c", "one", "one", "one", "two", "two", "three"]) call(holder);
    await settle();
    const order: (string | undefined)[] = [];
    for (const holder of ["a", "b", "c", "two", "one"]) {
      end(holder);
      await settle();
      order.push(running.at(-1)?.holder);
    }
    expect(order).toEqual(["one", "two", "three", "two", "one"]);
  });

  describe("has a limit", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    it.each([
      [undefined, ["RATE_LIMITED", "SERVICE_UNAVAILABLE"]],
      ["SERVICE_UNAVAILABLE" as const, ["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"]],
    ])(
      "of time, with the code %s at the fair limit; a call over it keeps no place",
      async (codeAtLimit, codes) => {
        const others = vi.getTimerCount();
        const { call, running } = world({ capacity: 1, maxWaitMs: 500, ...(codeAtLimit && { codeAtLimit }) });
        const first = call("one");
        const late = [call("one"), call("two")];
        await vi.advanceTimersByTimeAsync(500);
        expect(await Promise.all(late.map(resultOf))).toEqual(codes);
        const next = call("two");
        running[0]?.end();
        await settle();
        running[0]?.end();
        expect([await first, await next]).toEqual(["done", "done"]);
        expect(vi.getTimerCount()).toBe(others);
      },
    );

    it("of continuous waiting, over which further calls are rejected until no call waits", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      const { call, end, endAll } = world({ capacity: 1, maxWaitMs: 100, maxStandingMs: 25 });
      for (const _ of ["runs", "waits"]) call("one");
      await vi.advanceTimersByTimeAsync(24);
      const last = call("one");
      await vi.advanceTimersByTimeAsync(1);
      expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
      for (let ended = 0; ended < 2; ended += 1) {
        end("one");
        await settle();
      }
      const next = call("one");
      await endAll();
      expect([await last, await next]).toEqual(["done", "done"]);
    });

    it("of waiting calls for each holder", async () => {
      const { call, endAll, refused } = world({ capacity: 1, ...patient, maxWaiting: 2 });
      for (let nth = 0; nth < 3; nth += 1) call("one");
      expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
      call("two");
      await endAll();
      expect(refused).toEqual(["RATE_LIMITED"]);
    });
  });
});

it("a holder at its fair limit gets 503 instead of 429 while the database is unavailable", async () => {
  let unavailable = true;
  const { call, endAll, refused } = world({ capacity: 2, isDatabaseUnavailable: () => unavailable });
  call("one");
  expect(await resultOf(call("one"))).toBe("SERVICE_UNAVAILABLE");
  unavailable = false;
  expect(await resultOf(call("one"))).toBe("RATE_LIMITED");
  expect(refused).toEqual(["SERVICE_UNAVAILABLE", "RATE_LIMITED"]);
  await endAll();
});

it("slots without a reserve all serve one holder, and serve another one that waits with the next free slot", async () => {
  const slots = { capacity: 2, reserve: false };
  expect(createFairSemaphore(slots).room("one")).toBe(2);
  const { call, held, end, endAll } = world({ ...slots, maxWaitMs: 1_000_000 });
  for (const holder of ["one", "one", "one", "one", "two", "two"]) call(holder);
  await settle();
  expect([held("one"), held("two")]).toEqual([2, 0]);
  for (const expected of [
    [1, 1],
    [1, 1],
    [2, 0],
  ]) {
    end(held("one") > 1 ? "one" : "two");
    await settle();
    expect([held("one"), held("two")]).toEqual(expected);
  }
  await endAll();
});

describe("any order of calls and ends", () => {
  const holder = fc.constantFrom("one", "two", "three", "four");
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), holder }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("end" as const), holder }) },
  );

  it.each([0, 1_000_000])("keeps the fair limit with a wait of up to %i ms", async (maxWaitMs) => {
    const capacities = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(capacities, fc.array(step, { maxLength: 80 }), async (capacity, steps) => {
        const { call, end, endAll, held, running } = world({ capacity, maxWaitMs });
        let calls = 0;
        for (const { kind, holder } of steps) {
          const free = capacity - running.length;
          const before = held(holder);
          if (kind === "end") end(holder);
          else {
            calls += 1;
            call(holder);
          }
          await settle();
          expect(running.length).toBeLessThanOrEqual(capacity);
          if (kind === "call") expect(held(holder)).toBe(before < free ? before + 1 : before);
        }
        const results = await endAll();
        expect(results).toHaveLength(calls);
        if (maxWaitMs > 0) expect(results.every((result) => result === "done")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
