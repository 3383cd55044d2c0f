import type { Failure } from "@cardbridge/domain";
import { noSlot } from "./fair-semaphore.ts";

/** A queue of calls that begin round robin over their holders, while more of them arrive than the process can begin at once. */
export interface FairQueue {
  /**
   * Waits until the call may begin; undefined if it may begin at once. Resolves to RATE_LIMITED if too many others began before
   * it. Never rejects.
   */
  enter(holder: string): Promise<Failure | undefined> | undefined;
}

interface Options {
  /** The number of calls that begin in one iteration of the event loop. Default: 8, which take one or two milliseconds. */
  atOnce?: number;
  /** The number of calls that may begin while a call waits. Default: 256, which take about 100 ms. */
  before?: number;
  /** Runs `next` in the next iteration of the event loop. */
  schedule?: (next: () => void) => unknown;
}

interface Waiting {
  /** The number of calls that have begun when the call arrives. */
  since: number;
  end(failure?: Failure): void;
}

/** Four refusals take the time of a call. */
const costOfRefusal = 0.25;

/**
 * Creates the queue of a process. Thousands of callers of one platform can be readable in one iteration of the event loop,
 * and another platform's call would wait for all of them. So only some calls begin in an iteration, round robin over
 * the holders, and the process reads what has arrived meanwhile. A call is refused after many others, because a queue that
 * grows delays every call and completes none more. Not by a clock, because a pause of the process would refuse all calls.
 */
export function createFairQueue({
  atOnce = 8,
  before = 256,
  schedule = setImmediate,
}: Options = {}): FairQueue {
  /** The calls that wait, by holder. The first holder is next. */
  const waiting = new Map<string, Set<Waiting>>();
  /** The calls that have begun: all of them, and those of this iteration. */
  let [total, begun] = [0, 0];

  function next(): void {
    begun = 0;
    while (begun < atOnce) {
      const [[holder, calls] = []] = waiting;
      const [first] = calls ?? [];
      if (holder === undefined || !calls || !first) break;
      waiting.delete(holder);
      calls.delete(first);
      if (calls.size > 0) waiting.set(holder, calls);
      // The only call of its holder is not refused: it waits for one call of each other holder.
      const isLate = total - first.since > before && calls.size > 0;
      begin(isLate ? costOfRefusal : 1);
      first.end(isLate ? noSlot.RATE_LIMITED : undefined);
    }
    if (begun > 0) schedule(next);
  }

  function begin(cost: number): void {
    begun += cost;
    total += cost;
  }

  return {
    enter(holder) {
      if (begun === 0) schedule(next);
      if (waiting.size === 0 && begun < atOnce) {
        begin(1);
        return undefined;
      }
      return new Promise((end) => {
        const calls = waiting.get(holder) ?? new Set();
        waiting.set(holder, calls.add({ since: total, end }));
      });
    },
  };
}
