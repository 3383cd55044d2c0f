import type { Slot } from "@cardbridge/domain";
import { type Ports, resolveDue } from "@cardbridge/operations";
import { startLoop } from "./loop.ts";
import { run } from "./run.ts";

/** The holder of the worker's slots for the provider. It contains a space, so no platform's id equals it. */
const worker = "the worker";
/** The least passes of a second in which each leases its part of the attempts. */
const passesPerSecond = 20;

interface Options {
  ports: Ports;
  /** The polling interval for due records, in milliseconds. */
  intervalMs: number;
  /** The maximum number of attempts at once. */
  concurrency: number;
  /** The maximum number of attempts per second. It protects a recovering provider from the backlog. */
  perSecond: number;
}

/**
 * Makes attempts of due records. It leases no more than it has slots for, and leases others as attempts end, so that a
 * slow attempt delays no other.
 */
export function resolveRecords({ ports, intervalMs, concurrency, perSecond }: Options) {
  const running = new Set<Promise<void>>();
  const most = Math.max(1, Math.min(concurrency / 2, Math.floor(perSecond / passesPerSecond)));
  const loop = startLoop(leaseMore, intervalMs, (most * 1_000) / perSecond);
  let hasMore = false;

  async function leaseMore(): Promise<boolean> {
    const slots = takeSlots(Math.min(concurrency - running.size, most));
    const limit = slots.length;
    if (limit === 0) return false;
    const due = (await run(ports, "kyc.settleDue", () => ports.kycRecords.leaseDue(limit))) ?? [];
    hasMore = due.length === limit;
    for (const attempt of due) start(resolveDue(ports, attempt), slots.pop());
    for (const slot of slots) slot.release();
    return hasMore;
  }

  function takeSlots(count: number): Slot[] {
    const slots: Slot[] = [];
    while (slots.length < count) {
      const slot = ports.providerSlots.tryTake(worker);
      if (!slot) break;
      slots.push(slot);
    }
    return slots;
  }

  function start(attempt: Promise<void>, slot: Slot | undefined): void {
    const made = attempt.finally(() => {
      slot?.release();
      running.delete(made);
      if (hasMore) loop.wake();
    });
    running.add(made);
  }

  return {
    /** Leases no more, and waits for the running attempts. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(running);
    },
  };
}
