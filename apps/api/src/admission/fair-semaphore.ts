import { Failure, ReasonError, type Slot } from "@cardbridge/domain";

/** The slots of a scarce resource, shared fairly by their holders. A holder is usually the id of a platform, or of the person behind an internal app. */
export interface FairSemaphore {
  /** Takes a slot without waiting; undefined if the holder gets none. */
  tryTake(holder: string): Slot | undefined;
  /**
   * Takes a slot, and may wait for it. A free slot is taken before the promise is returned.
   * @throws Failure RATE_LIMITED if the holder is at its fair limit, SERVICE_UNAVAILABLE if other holders use all
   *   slots, or if the holder's calls wait for a database that is unavailable.
   */
  take(holder: string): Promise<Slot>;
  /** Runs `work` in a slot, at once if one is free. @throws Failure as `take`; any error of `work`. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
  /** The number of slots that the holder could take now. Takes none. */
  room(holder: string): number;
  /** The failure of a call that can neither get a slot nor wait for one; else undefined. Takes no slot. */
  refusal(holder: string): Failure | undefined;
  usage(): Usage;
}

/** The current use of a resource. */
export interface Usage {
  capacity: number;
  inUse: number;
  /** The number of calls that wait for a slot. */
  waiting: number;
}

type RefusalCode = "RATE_LIMITED" | "SERVICE_UNAVAILABLE";

interface WaitingLimits {
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

export interface FairSemaphoreOptions extends WaitingLimits {
  /** The number of slots. */
  capacity: number;
  /** Whether slots stay free for holders without slots. The default is true. Without it, one holder may use all slots. */
  reserve?: boolean;
  /** The code for a holder at its fair limit. The default is RATE_LIMITED. */
  codeAtLimit?: RefusalCode;
  /** Whether the database is unavailable. Then a holder does not cause its queued calls: no RATE_LIMITED. */
  isDatabaseUnavailable?(): boolean;
  /** Receives the code of every refusal. */
  onRefused?(code: RefusalCode): void;
}

/** Most calls end within this time. Earlier retries would cost time that other callers need. */
const details = { retryAfterSeconds: 2, cause: new ReasonError("no-slot") };
/** The failures of refused calls. Created once, because the creation of an error is a tenth of the cost of a refusal. */
export const noSlot = {
  RATE_LIMITED: new Failure("RATE_LIMITED", details),
  SERVICE_UNAVAILABLE: new Failure("SERVICE_UNAVAILABLE", details),
};

/**
 * Creates a semaphore with the dynamic threshold of Choudhury and Hahne: a holder may take a slot while it has fewer
 * slots than are free. One busy holder gets half of the slots, two get a third each, and a holder without slots gets
 * any free slot. A released slot goes to the waiting holder with the fewest slots. Without a reserve, a holder may take
 * any free slot, and another holder waits for the next one.
 */
export function createFairSemaphore({
  capacity,
  reserve = true,
  codeAtLimit = "RATE_LIMITED",
  isDatabaseUnavailable = () => false,
  onRefused = () => {},
  ...limits
}: FairSemaphoreOptions): FairSemaphore {
  const held = new Map<string, number>();
  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const waiting = createWaitingCalls(heldBy, limits);
  let inUse = 0;
  const free = () => capacity - inUse;
  const mayTake = (holder: string) => (reserve ? heldBy(holder) : 0) < free();

  function tryTake(holder: string): Slot | undefined {
    if (!mayTake(holder)) return undefined;
    held.set(holder, heldBy(holder) + 1);
    inUse += 1;
    const slot = {
      held: true,
      release() {
        if (slot.held) giveBack(holder);
        slot.held = false;
      },
    };
    return slot;
  }

  function giveBack(holder: string): void {
    const count = heldBy(holder);
    if (count === 1) held.delete(holder);
    else held.set(holder, count - 1);
    inUse -= 1;
    // If the waiting holder with the fewest slots may not take one, no waiting holder may.
    for (let next = waiting.next(); next !== undefined && mayTake(next); next = waiting.next()) {
      waiting.admit(next);
    }
  }

  function refuse(holder: string): Failure {
    const code = heldBy(holder) > 0 && !isDatabaseUnavailable() ? codeAtLimit : "SERVICE_UNAVAILABLE";
    onRefused(code);
    return noSlot[code];
  }

  async function take(holder: string): Promise<Slot> {
    const free = tryTake(holder);
    if (free) return free;
    const slot = waiting.mayJoin(holder) && (await waiting.join(holder, () => tryTake(holder)));
    if (!slot) throw refuse(holder);
    return slot;
  }

  return {
    tryTake,
    take,
    // With a reserve half, because each slot that the holder takes also lowers the number of free slots.
    room: (holder) => Math.max(0, reserve ? Math.ceil((free() - heldBy(holder)) / 2) : free()),
    refusal: (holder) => (mayTake(holder) || waiting.mayJoin(holder) ? undefined : refuse(holder)),
    async run(holder, work) {
      const slot = tryTake(holder) ?? (await take(holder));
      try {
        return await work();
      } finally {
        slot.release();
      }
    },
    usage: () => ({ capacity, inUse, waiting: waiting.count() }),
  };
}

/**
 * The calls that wait for a slot. The calls of one holder keep their order.
 *
 * @param heldBy the number of slots that a holder has
 */
function createWaitingCalls(
  heldBy: (holder: string) => number,
  { maxWaitMs = 0, maxWaiting = 1_000, maxStandingMs = Number.POSITIVE_INFINITY }: WaitingLimits,
) {
  /** The calls of each holder, and the start of its wait. The least recently admitted holder comes first. */
  const queues = new Map<string, { since: number; calls: Set<() => void> }>();

  return {
    /** Whether another call of the holder may wait. */
    mayJoin(holder: string): boolean {
      if (maxWaitMs === 0) return false;
      const queue = queues.get(holder);
      return !queue || (queue.calls.size < maxWaiting && performance.now() - queue.since < maxStandingMs);
    },
    /** Waits until the holder is admitted, and takes a slot. Returns undefined after the maximum time. */
    join(holder: string, take: () => Slot | undefined): Promise<Slot | undefined> {
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
    /** The waiting holder with the fewest slots; among equals, the least recently admitted holder. */
    next(): string | undefined {
      let next: string | undefined;
      for (const holder of queues.keys()) {
        if (next === undefined || heldBy(holder) < heldBy(next)) next = holder;
      }
      return next;
    },
    /** Admits the holder's first call, and moves the holder behind all others. */
    admit(holder: string): void {
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
