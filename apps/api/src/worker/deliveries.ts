import { type DeliveryLane, slowAttemptMs } from "@cardbridge/domain";
import { createLaneSlots, type LaneLimits } from "./lane-slots.ts";
import { type Loop, startLoop } from "./loop.ts";

export interface DeliveriesOptions<Due extends { lane: DeliveryLane }> {
  /** Leases up to this many due deliveries of a lane. Never rejects. */
  lease(lane: DeliveryLane, limit: number): Promise<readonly Due[]>;
  /** Makes one attempt. Releases its lease if the signal aborts. Never rejects. */
  deliver(due: Due, signal: AbortSignal): Promise<void>;
  limits?: LaneLimits;
  /** The pause after an empty lease, in milliseconds. */
  pauseMs?: number;
  /** After this time, an attempt is slow; in milliseconds. */
  slowAfterMs?: number;
}

export interface Deliveries {
  /** Stops leasing, and waits for the running attempts. */
  stop(): Promise<void>;
  /** Aborts the running attempts, so that they release their leases, and waits for them. */
  abort(): Promise<void>;
}

/** An attempt needs a socket and up to 100 KB. A lane never uses the slots of another lane. */
const defaultLimits: LaneLimits = { prompt: 64, slow: 128, moved: 128 };
/**
 * The maximum number of leases per pass, and the milliseconds between passes. A pass leases only a few deliveries to
 * slow endpoints, so that their attempts end at different times. It scans many endpoints, so it runs rarely.
 */
const passes: Record<DeliveryLane, { most: number; spacingMs: number }> = {
  prompt: { most: 64, spacingMs: 10 },
  slow: { most: 16, spacingMs: 250 },
};

/**
 * Makes attempts of due deliveries, and leases further deliveries without waiting for them. Each lane has its own loop
 * and slots, so that slow endpoints do not delay deliveries to prompt endpoints.
 */
export function startDeliveries<Due extends { lane: DeliveryLane }>({
  lease,
  deliver,
  limits = defaultLimits,
  pauseMs = 250,
  slowAfterMs = slowAttemptMs,
}: DeliveriesOptions<Due>): Deliveries {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const slots = createLaneSlots(limits, (lane) => loops[lane].wake());

  async function attempt(due: Due): Promise<void> {
    const slot = slots.take(due.lane);
    const timer = setTimeout(slot.demote, slowAfterMs);
    await deliver(due, stopping.signal);
    clearTimeout(timer);
    slot.leave();
  }

  async function leaseLane(lane: DeliveryLane): Promise<boolean> {
    const limit = Math.min(slots.free(lane), passes[lane].most);
    if (limit === 0) return false;
    const due = await lease(lane, limit);
    for (const one of due) {
      const made = attempt(one).finally(() => running.delete(made));
      running.add(made);
    }
    return due.length > 0;
  }

  const loopOf = (lane: DeliveryLane) => startLoop(() => leaseLane(lane), pauseMs, passes[lane].spacingMs);
  const loops: Record<DeliveryLane, Loop> = { prompt: loopOf("prompt"), slow: loopOf("slow") };
  const ended = () => Promise.all([loops.prompt.stop(), loops.slow.stop()]);
  return {
    async stop() {
      await ended();
      await Promise.all(running);
    },
    async abort() {
      stopping.abort();
      await ended();
      await Promise.all(running);
    },
  };
}
