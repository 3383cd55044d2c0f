/** One pass. Resolves to true if there is more work. Never throws. */
export type Pass = () => Promise<boolean>;

export interface Loop {
  /** Stops the loop and waits for the current pass. */
  stop(): Promise<void>;
}

/**
 * Runs a pass immediately and after every pause. If there is more work, the next pass starts without a pause, but at
 * least `spacingMs` after the start of the previous one. Times are in milliseconds.
 */
export function startLoop(pass: Pass, pauseMs: number, spacingMs = 0): Loop {
  let stopped = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const startedAt = performance.now();
      const more = await pass();
      const rest = more ? startedAt + spacingMs - performance.now() : pauseMs;
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
