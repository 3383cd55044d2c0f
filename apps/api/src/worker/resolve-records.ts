import type { DueAttempt } from "@cardbridge/domain";
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
    const limit = Math.min(concurrency - running.size, most, ports.providerSlots.room(worker));
    if (limit === 0) return false;
    const due = (await run(ports, "kyc.resolveDue", () => ports.kycRecords.leaseDue(limit))) ?? [];
    hasMore = due.length === limit;
    for (const attempt of due) start(attempt);
    return hasMore;
  }

  function start(due: DueAttempt): void {
    const attempt = ports.providerSlots.run(worker, () => resolveDue(ports, due));
    // Without a slot after all, the record stays due until its lease expires.
    const ended = attempt
      .catch(() => {})
      .finally(() => {
        running.delete(ended);
        if (hasMore) loop.wake();
      });
    running.add(ended);
  }

  return {
    /** Leases no more, and waits for the running attempts. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(running);
    },
  };
}
