/** One pass; it tells whether there is more to do. It never throws. */
export type Pass = () => Promise<boolean>;

export interface Loop {
  /** Starts no further pass and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Runs a pass now and after every pause. Where there is more to do the next pass follows at once, but no sooner than
 * `spacingMs` after the start of the one before. Times are milliseconds.
 */
export function startLoop(pass: Pass, pauseMs: number, spacingMs = 0): Loop {
  let stopped = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const begun = performance.now();
      const more = await pass();
      const rest = more ? begun + spacingMs - performance.now() : pauseMs;
      if (rest > 0 && !stopped) await sleep(Math.ceil(rest));
    }
  }

  function sleep(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = run();
  return {
    stop() {
      stopped = true;
      wake();
      return running;
    },
  };
}
