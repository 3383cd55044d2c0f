import type { DeliveryLane } from "@cardbridge/domain";
import { expect, it, onTestFinished, vi } from "vitest";
import { type DeliveriesOptions, startDeliveries } from "../../src/worker/deliveries.ts";

interface Due {
  lane: DeliveryLane;
  name: string;
}

/** Due deliveries. Those named "dead" end only when they are released or aborted. */
function setUp(due: Due[], options: Partial<DeliveriesOptions<Due>> = {}) {
  const ended: string[] = [];
  const running = new Map<string, () => void>();
  const leases: [DeliveryLane, number][] = [];
  const deliveries = startDeliveries<Due>({
    async lease(lane, limit) {
      leases.push([lane, limit]);
      return takeOf(due, lane, limit);
    },
    async deliver({ name }, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(name, resolve);
      if (!name.startsWith("dead")) resolve();
      signal.addEventListener("abort", () => resolve());
      await promise;
      running.delete(name);
      ended.push(signal.aborted ? `${name}, aborted` : name);
    },
    // No test waits for a pause: the events after an attempt wake the loop.
    pauseMs: 1_000_000,
    ...options,
  });
  onTestFinished(() => deliveries.abort());
  return { deliveries, ended, running, leases };
}

function takeOf(due: Due[], lane: DeliveryLane, count: number): Due[] {
  const taken = due.filter((one) => one.lane === lane).slice(0, count);
  for (const one of taken) due.splice(due.indexOf(one), 1);
  return taken;
}

const many = (lane: DeliveryLane, name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ lane, name: `${name} ${index}` }));

it("delivers to prompt endpoints while a thousand dead endpoints use all other slots", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ended, running } = setUp([...many("slow", "dead", 1_000), ...many("prompt", "prompt", 300)]);
  // Eight leases of dead deliveries, a quarter of a second apart.
  await vi.advanceTimersByTimeAsync(2_000);
  expect([ended.length, running.size]).toEqual([300, 128]);
});

it("leases the next delivery when an attempt ends, and never more than it has slots", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limits = { prompt: 2, slow: 1, moved: 0 };
  const { ended, running, leases } = setUp([...many("prompt", "dead", 3), ...many("slow", "slow", 5)], {
    limits,
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect([ended.length, running.size]).toEqual([5, 2]);
  running.get("dead 1")?.();
  await vi.advanceTimersByTimeAsync(100);
  expect([running.has("dead 2"), running.size]).toEqual([true, 2]);
  expect(leases.filter(([lane, limit]) => limit > limits[lane])).toEqual([]);
});

it("moves a long attempt to another lane while that lane has slots", async () => {
  const limits = { prompt: 1, slow: 1, moved: 2 };
  const { running, ended } = setUp([...many("prompt", "dead", 4), ...many("prompt", "prompt", 1)], {
    limits,
    slowAfterMs: 20,
  });
  await expect.poll(() => [...running.keys()]).toEqual(["dead 0", "dead 1", "dead 2"]);
  running.get("dead 0")?.();
  running.get("dead 2")?.();
  await expect.poll(() => ended).toEqual(["dead 0", "dead 2", "prompt 0"]);
  expect([...running.keys()]).toEqual(["dead 1", "dead 3"]);
});

it("finds deliveries that become due later", async () => {
  const due: Due[] = [];
  const { ended } = setUp(due, { pauseMs: 5 });
  due.push(...many("slow", "slow", 1), ...many("prompt", "prompt", 1));
  await expect.poll(() => ended.toSorted()).toEqual(["prompt 0", "slow 0"]);
});

it("leases nothing after it is stopped, and waits for the running attempts", async () => {
  const due = many("prompt", "dead", 1);
  const { deliveries, ended, running, leases } = setUp(due, { pauseMs: 5 });
  await expect.poll(() => running.size).toBe(1);
  const stopped = deliveries.stop();
  await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 20))]);
  const before = leases.length;
  due.push(...many("prompt", "prompt", 1));
  expect(ended).toEqual([]);
  running.get("dead 0")?.();
  await stopped;
  expect(ended).toEqual(["dead 0"]);
  expect(leases).toHaveLength(before);
});

it("aborts running attempts at the end of the grace period", async () => {
  const { deliveries, ended, running } = setUp([
    ...many("prompt", "dead", 2),
    ...many("slow", "dead slow", 1),
  ]);
  await expect.poll(() => running.size).toBe(3);
  await deliveries.abort();
  expect(ended.toSorted()).toEqual(["dead 0, aborted", "dead 1, aborted", "dead slow 0, aborted"]);
});
