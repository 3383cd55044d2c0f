import { Failure } from "@cardbridge/domain";
import { createWaitingLines } from "./waiting-lines.ts";

/** Shares the places of one scarce resource among lanes. A lane is a platform's id, or one of `lanes`. */
export interface FairShares {
  /**
   * Runs `work` in a place of this lane, and gives the place back when the work ends.
   * @throws Failure, without a start of the work: RATE_LIMITED if the lane uses its share, SERVICE_UNAVAILABLE if it
   *   has no place because all are taken, or if the resource hangs; any error of `work`.
   */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
  /** Takes a place for work without an end of its own. The result gives it back; call it once. @throws Failure as `run`. */
  take(lane: string): Promise<() => void>;
  /** The failure of a call that would get no place at once, before anything is done for it. */
  refusal(lane: string): Failure | undefined;
}

/** The places of a resource now. */
export interface Usage {
  capacity: number;
  inUse: number;
  /** The number of calls that wait for a place. */
  waiting: number;
}

export interface MeasuredShares extends FairShares {
  usage(): Usage;
}

export interface FairSharesOptions {
  /** The number of places. */
  capacity: number;
  /** The maximum time to wait for a place, in milliseconds. 0, the default, refuses at once. */
  maxWaitMs?: number;
  /** The maximum number of waiting calls of each lane. The default is 1,000. */
  maxWaiting?: number;
  /** If true, a wait in vain during which no work of the lane succeeded is SERVICE_UNAVAILABLE: the resource hangs. */
  detectHang?: boolean;
  /** Receives the code of every refusal. */
  onRefused?(code: "RATE_LIMITED" | "SERVICE_UNAVAILABLE"): void;
}

/** Most work ends sooner. A shorter time would let refused callers take the time of others. */
const details = { retryAfterSeconds: 2, cause: new Error("share-used") };
/** Created once: under a flood, creating errors would be a tenth of a refusal's cost. */
const failures = {
  RATE_LIMITED: new Failure("RATE_LIMITED", details),
  SERVICE_UNAVAILABLE: new Failure("SERVICE_UNAVAILABLE", details),
};

/**
 * Creates fair shares by the dynamic threshold of Choudhury and Hahne: a lane may take a place while it has fewer
 * places than are free (gap G22). So one busy lane has half of the places, two have a third each, and a lane without
 * places gets one as long as any is free. A place that becomes free goes to the waiting lane with the fewest places.
 */
export function createFairShares({
  capacity,
  maxWaitMs = 0,
  maxWaiting = 1_000,
  detectHang = false,
  onRefused = () => {},
}: FairSharesOptions): MeasuredShares {
  /** The places of each lane that has any. */
  const held = new Map<string, number>();
  /** How often work of each lane succeeded while calls of it waited. Another lane may use what does not hang. */
  const succeeded = new Map<string, number>();
  const waiting = createWaitingLines();
  let free = capacity;

  const heldBy = (lane: string) => held.get(lane) ?? 0;

  function tryTake(lane: string): boolean {
    const count = heldBy(lane);
    if (count >= free) return false;
    held.set(lane, count + 1);
    free -= 1;
    return true;
  }

  function giveBack(lane: string): void {
    const count = heldBy(lane);
    if (count === 1) held.delete(lane);
    else held.set(lane, count - 1);
    free += 1;
    // If the waiting lane with the fewest places may not take one, no waiting lane may.
    for (let next = waiting.next(heldBy); next !== undefined && tryTake(next); next = waiting.next(heldBy)) {
      waiting.admit(next);
    }
  }

  function refuse(lane: string, hangs = false): Failure {
    const code = heldBy(lane) > 0 && !hangs ? "RATE_LIMITED" : "SERVICE_UNAVAILABLE";
    onRefused(code);
    return failures[code];
  }

  async function take(lane: string): Promise<void> {
    if (tryTake(lane)) return;
    if (maxWaitMs === 0 || waiting.length(lane) >= maxWaiting) throw refuse(lane);
    const before = succeeded.get(lane);
    const admitted = await waiting.join(lane, maxWaitMs);
    const hangs = detectHang && succeeded.get(lane) === before;
    if (waiting.length(lane) === 0) succeeded.delete(lane);
    if (!admitted) throw refuse(lane, hangs);
  }

  return {
    usage: () => ({ capacity, inUse: capacity - free, waiting: waiting.total() }),
    refusal: (lane) => (heldBy(lane) >= free ? refuse(lane) : undefined),
    async take(lane) {
      await take(lane);
      return () => giveBack(lane);
    },
    async run(lane, work) {
      if (!tryTake(lane)) await take(lane);
      try {
        const result = await work();
        if (waiting.length(lane) > 0) succeeded.set(lane, (succeeded.get(lane) ?? 0) + 1);
        return result;
      } finally {
        giveBack(lane);
      }
    },
  };
}
