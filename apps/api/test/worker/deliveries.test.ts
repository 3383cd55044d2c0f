import type { AttemptSlots, DueDelivery } from "@cardbridge/domain";
import { expect, it, onTestFinished } from "vitest";
import { type DeliveriesOptions, startDeliveries } from "../../src/worker/deliveries.ts";

/** Due deliveries. Those of a dead endpoint end only when they are ended or aborted. */
function setUp(due: DueDelivery[], options: Partial<DeliveriesOptions> = {}) {
  const ended: string[] = [];
  const running = new Map<string, () => void>();
  const leases: AttemptSlots[] = [];
  const inactive = new Set<string>();
  const deliveries = startDeliveries({
    async lease(slots) {
      leases.push(slots);
      return due.splice(0, Math.min(slots.free, slots.perCall));
    },
    findInactive: async (endpointIds) => endpointIds.filter((id) => inactive.has(id)),
    async deliver({ deliveryId, endpointId }, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(deliveryId, resolve);
      if (!endpointId.startsWith("dead")) resolve();
      signal.addEventListener("abort", () => resolve());
      if (signal.aborted) resolve();
      await promise;
      running.delete(deliveryId);
      ended.push(signal.aborted ? `${deliveryId}, aborted` : deliveryId);
    },
    // No test waits for a pause: the events after an attempt wake the loop.
    pauseMs: 1_000_000,
    checkMs: 1_000_000,
    ...options,
  });
  onTestFinished(() => deliveries.abort());
  return { deliveries, ended, running, leases, inactive };
}

const many = (endpointId: string, count: number): DueDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    platformId: "plt_1",
    endpointId,
    deliveryId: `${endpointId} ${index}`,
    lease: 1,
    attempt: 1,
  }));

it("leases with its running attempts and its free slots, and never without a free slot", async () => {
  const { running, leases } = setUp([...many("live", 20), ...many("dead", 300)]);
  await expect.poll(() => running.size).toBe(256);
  for (const { running, free } of leases) expect(running.length + free).toBe(256);
  expect(leases.map(({ free }) => free)).not.toContain(0);
  expect(leases.at(-1)?.running[0]).toMatchObject({ platformId: "plt_1", endpointId: "dead" });
});

it("leases the next delivery when an attempt ends", async () => {
  const { ended, running } = setUp(many("dead", 257));
  await expect.poll(() => running.size).toBe(256);
  running.get("dead 1")?.();
  await expect.poll(() => running.has("dead 256")).toBe(true);
  expect(ended).toEqual(["dead 1"]);
});

it("aborts the attempts to endpoints that are disabled or deleted", async () => {
  const { ended, running, inactive } = setUp([...many("dead", 2), ...many("dead deleted", 2)], {
    checkMs: 5,
  });
  await expect.poll(() => running.size).toBe(4);
  inactive.add("dead deleted");
  await expect.poll(() => ended).toEqual(["dead deleted 0, aborted", "dead deleted 1, aborted"]);
  expect([...running.keys()]).toEqual(["dead 0", "dead 1"]);
});

it("leases nothing after it is stopped, and waits for the running attempts", async () => {
  const due = many("dead", 1);
  const { deliveries, ended, running, leases } = setUp(due, { pauseMs: 5 });
  await expect.poll(() => running.size).toBe(1);
  const stopped = deliveries.stop();
  await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 20))]);
  const before = leases.length;
  due.push(...many("live", 1));
  expect(ended).toEqual([]);
  running.get("dead 0")?.();
  await stopped;
  expect(ended).toEqual(["dead 0"]);
  expect(leases).toHaveLength(before);
});

it("aborts running attempts at the end of the grace period", async () => {
  const { deliveries, ended, running } = setUp(many("dead", 3));
  await expect.poll(() => running.size).toBe(3);
  await deliveries.abort();
  expect(ended.toSorted()).toEqual(["dead 0, aborted", "dead 1, aborted", "dead 2, aborted"]);
});
