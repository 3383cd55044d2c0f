import type { AttemptSlots, DueDelivery } from "@cardbridge/domain";
import { startLoop } from "./loop.ts";

export interface DeliveriesOptions {
  /** Leases due deliveries. Never rejects. */
  lease(slots: AttemptSlots): Promise<readonly DueDelivery[]>;
  /** Those of these endpoints that are disabled or deleted. Never rejects. */
  findInactive(endpointIds: readonly string[]): Promise<readonly string[]>;
  /** Makes one attempt. Releases its lease if the signal aborts. Never rejects. */
  deliver(due: DueDelivery, signal: AbortSignal): Promise<void>;
  /** The pause after an empty lease, in milliseconds. */
  pauseMs?: number;
  /** The interval of the checks for inactive endpoints, in milliseconds. */
  checkMs?: number;
}

export interface Deliveries {
  /** Stops leasing, and waits for the running attempts. */
  stop(): Promise<void>;
  /** Aborts the running attempts, so that they release their leases, and waits for them. */
  abort(): Promise<void>;
}

/** The attempts of a process. Each needs a socket and up to 100 KB. */
const attemptSlots = 256;
/** A call leases few deliveries, so that loading them does not delay the next call. */
const limits = { reserved: 64, perEndpoint: 8, perCall: 32 };
/** The minimum time between two leases, in milliseconds. */
const leaseSpacingMs = 20;

/**
 * Makes attempts of due deliveries, and leases further deliveries as attempts end. Aborts the attempts to endpoints that
 * are disabled or deleted.
 */
export function startDeliveries({
  lease,
  findInactive,
  deliver,
  pauseMs = 250,
  checkMs = 1_000,
}: DeliveriesOptions): Deliveries {
  const stopping = new AbortController();
  const running = new Map<DueDelivery, { ended: Promise<void>; aborting: AbortController }>();

  function start(due: DueDelivery): void {
    const aborting = new AbortController();
    const signal = AbortSignal.any([stopping.signal, aborting.signal]);
    const ended = deliver(due, signal).finally(() => {
      running.delete(due);
      leasing.wake();
    });
    running.set(due, { ended, aborting });
  }

  async function leaseMore(): Promise<boolean> {
    const free = attemptSlots - running.size;
    if (free === 0) return false;
    const due = await lease({ ...limits, free, running: [...running.keys()] });
    due.forEach(start);
    return due.length > 0;
  }

  async function abortInactive(): Promise<boolean> {
    const endpointIds = new Set([...running.keys()].map(({ endpointId }) => endpointId));
    if (endpointIds.size === 0) return false;
    const inactive = new Set(await findInactive([...endpointIds]));
    for (const [{ endpointId }, { aborting }] of running) if (inactive.has(endpointId)) aborting.abort();
    return false;
  }

  const leasing = startLoop(leaseMore, pauseMs, leaseSpacingMs);
  const checking = startLoop(abortInactive, checkMs);
  const ended = () => Promise.all([...running.values()].map((attempt) => attempt.ended));
  return {
    async stop() {
      await leasing.stop();
      await ended();
      await checking.stop();
    },
    async abort() {
      stopping.abort();
      await Promise.all([leasing.stop(), checking.stop()]);
      await ended();
    },
  };
}
