/** Lets the calls of all holders take turns while more of them arrive than the process can begin at once. */
export interface Turns {
  /** Waits for a turn of the holder. Undefined if the call may begin at once. Never rejects. */
  take(holder: string): Promise<void> | undefined;
}

interface Options {
  /** The number of calls that begin in one iteration of the event loop. Default: 8, which take one or two milliseconds. */
  atOnce?: number;
  /** Runs `next` in the next iteration of the event loop. */
  schedule?: (next: () => void) => unknown;
}

/**
 * Creates the turns of a process. Thousands of callers of one platform can be readable in one iteration of the event loop,
 * and another platform's call would wait for all of them. So only some calls begin in an iteration, of each holder in
 * turn, and the process reads what has arrived meanwhile.
 */
export function createTurns({ atOnce = 8, schedule = setImmediate }: Options = {}): Turns {
  /** The calls that wait, by holder. The first holder has the next turn. */
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
    take(holder) {
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
