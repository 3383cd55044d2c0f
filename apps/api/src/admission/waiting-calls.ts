import type { Slot } from "@cardbridge/domain";

/** The calls that wait for a slot, each with its holder. The calls of one holder keep their order. */
export interface WaitingCalls {
  /** Whether another call of the holder may wait. */
  mayJoin(holder: string): boolean;
  /** Waits until the holder is admitted, and takes a slot. Returns undefined after the maximum time. */
  join(holder: string, take: () => Slot | undefined): Promise<Slot | undefined>;
  /** The waiting holder with the fewest slots; among equals, the least recently admitted holder. */
  next(): string | undefined;
  /** Admits the holder's first call, and moves the holder behind all others. */
  admit(holder: string): void;
  /** The number of waiting calls. */
  count(): number;
}

export interface WaitingLimits {
  /** The maximum time to wait for a slot, in milliseconds. 0, the default, refuses immediately. */
  maxWaitMs?: number;
  /** The maximum number of waiting calls of each holder. */
  maxWaiting?: number;
  /**
   * The maximum time for which a holder's queue may stay non-empty, in milliseconds. After this
   * time, further calls are refused until the queue is empty: a queue that never empties delays every call and does
   * not increase the number of completed calls.
   */
  maxStandingMs?: number;
}

/** @param heldBy the number of slots that a holder has */
export function createWaitingCalls(
  heldBy: (holder: string) => number,
  { maxWaitMs = 0, maxWaiting = 1_000, maxStandingMs = Number.POSITIVE_INFINITY }: WaitingLimits,
): WaitingCalls {
  /** The calls of each holder, and the start of its wait. The least recently admitted holder comes first. */
  const queues = new Map<string, { since: number; calls: Set<() => void> }>();

  return {
    mayJoin(holder) {
      if (maxWaitMs === 0) return false;
      const queue = queues.get(holder);
      return !queue || (queue.calls.size < maxWaiting && performance.now() - queue.since < maxStandingMs);
    },
    join(holder, take) {
      const queue = queues.get(holder) ?? { since: performance.now(), calls: new Set() };
      queues.set(holder, queue);
      return new Promise((resolve) => {
        const admitted = () => {
          clearTimeout(timeout);
          resolve(take());
        };
        const timeout = setTimeout(() => {
          queue.calls.delete(admitted);
          if (queue.calls.size === 0) queues.delete(holder);
          resolve(undefined);
        }, maxWaitMs);
        queue.calls.add(admitted);
      });
    },
    next() {
      let next: string | undefined;
      for (const holder of queues.keys()) {
        if (next === undefined || heldBy(holder) < heldBy(next)) next = holder;
      }
      return next;
    },
    admit(holder) {
      const queue = queues.get(holder);
      const [first] = queue?.calls ?? [];
      if (!queue || !first) return;
      queues.delete(holder);
      queue.calls.delete(first);
      if (queue.calls.size > 0) queues.set(holder, queue);
      first();
    },
    count: () => [...queues.values()].reduce((sum, { calls }) => sum + calls.size, 0),
  };
}
