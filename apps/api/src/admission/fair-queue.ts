/** A queue of calls that begin round robin over their holders, while more of them arrive than the process can begin at once. */
export interface FairQueue {
  /** Waits until the call may begin. Undefined if it may begin at once. Never rejects. */
  enter(holder: string): Promise<void> | undefined;
}

interface Options {
  /** The number of calls that begin in one iteration of the event loop. Default: 8, which take one or two milliseconds. */
  atOnce?: number;
  /** Runs `next` in the next iteration of the event loop. */
  schedule?: (next: () => void) => unknown;
}

/**
 * Creates the queue of a process. Thousands of callers of one platform can be readable in one iteration of the event loop,
 * and another platform's call would wait for all of them. So only some calls begin in an iteration, round robin over
 * the holders, and the process reads what has arrived meanwhile.
 */
export function createFairQueue({ atOnce = 8, schedule = setImmediate }: Options = {}): FairQueue {
  /** The calls that wait, by holder. The first holder is next. */
  const waiting = new Map<string, Set<() => void>>();
  let begun = 0;

  function next(): void {
    begun = 0;
    for (; begun < atOnce; begun += 1) {
      const [[holder, calls] = []] = waiting;
      const [first] = calls ?? [];
      if (holder === undefined || !calls || !first) break;
      waiting.delete(holder);
      calls.delete(first);
      if (calls.size > 0) waiting.set(holder, calls);
      first();
    }
    if (begun > 0) schedule(next);
  }

  return {
    enter(holder) {
      if (begun === 0) schedule(next);
      if (waiting.size === 0 && begun < atOnce) {
        begun += 1;
        return undefined;
      }
      return new Promise((resolve) => {
        const calls = waiting.get(holder) ?? new Set();
        waiting.set(holder, calls.add(resolve));
      });
    },
  };
}
