import type { DueAttempt } from "@cardbridge/domain";
import { type Ports, resolveDue } from "@cardbridge/service";
import { startLoop } from "./loop.ts";
import { run } from "./run.ts";

/** The holder of the worker's slots for the provider. It contains a space, so no platform's id equals it. */
const worker = "the worker";
/** The minimum number of passes per second. Each pass leases a part of the attempts of that second. */
const passesPerSecond = 20;

interface Options {
  ports: Ports;
  /** The polling interval for due records, in milliseconds. */
  intervalMs: number;
  /** The maximum number of concurrent attempts. */
  concurrency: number;
  /** The maximum number of attempts per second. It protects a recovering provider from the backlog. */
  perSecond: number;
}

/**
 * Makes attempts of due records. It leases only as many records as it has slots, and leases further records as
 * attempts end, so that a slow attempt does not delay others.
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
    // Without a slot, no attempt is made, and the record is due again when its lease expires.
    const ended = attempt
      .catch(() => {})
      .finally(() => {
        running.delete(ended);
        if (hasMore) loop.wake();
      });
    running.add(ended);
  }

  return {
    /** Stops leasing, and waits for the running attempts. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(running);
    },
  };
}
