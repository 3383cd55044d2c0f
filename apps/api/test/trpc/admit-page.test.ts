import { expect, it } from "vitest";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { createRateLimiter } from "../../src/admission/rate.ts";
import { createAdmitPage } from "../../src/trpc/admit-page.ts";

const never = new AbortController().signal;

/** Two slots, of which a platform gets one, and this rate. A wait advances the clock and runs `meanwhile`. */
function world(calls: number, meanwhile = () => {}) {
  const clock = { now: 0 };
  const waits: number[] = [];
  const operations = createFairSemaphore({ capacity: 2 });
  const rateLimiter = createRateLimiter({ rateOf: () => ({ calls, seconds: 60 }), now: () => clock.now });
  const admit = createAdmitPage({
    rateLimiter,
    operations,
    async wait(seconds, signal) {
      waits.push(seconds);
      clock.now += seconds * 1_000;
      meanwhile();
      signal.throwIfAborted();
    },
  });
  return { admit, waits, operations, rateLimiter };
}

it("takes a token of the read rate, and waits until there is one", async () => {
  const { admit, waits, rateLimiter } = world(2);
  for (let page = 0; page < 4; page += 1) (await admit("plt_1", never)).release();
  expect(waits).toEqual([30, 30]);
  expect(await rateLimiter.count("plt_1", "reads")).toMatchObject({ allowed: false });
  expect(await rateLimiter.count("plt_2", "reads")).toMatchObject({ allowed: true });
});

it("takes a slot of the platform, and waits until there is one", async () => {
  const { admit, waits, operations } = world(100, () => held?.release());
  const held = operations.tryTake("plt_1");
  const slot = await admit("plt_1", never);
  expect([waits, slot.held, operations.usage().inUse]).toEqual([[2], true, 1]);
});

it("takes no slot for a signal that aborts meanwhile", async () => {
  const leaving = new AbortController();
  const { admit, operations } = world(1, () => leaving.abort(new Error("left")));
  (await admit("plt_1", leaving.signal)).release();
  await expect(admit("plt_1", leaving.signal)).rejects.toThrow("left");
  const { admit: second, operations: others } = world(9);
  await expect(second("plt_1", leaving.signal)).rejects.toThrow("left");
  expect([operations.usage().inUse, others.usage().inUse]).toEqual([0, 0]);
});
