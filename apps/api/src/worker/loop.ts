export interface Loop {
  /** Begins no further pass and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Makes a pass now and again after every pause. Where the pass says that there is more the next one follows at once, but
 * no sooner than `spacingMs` after that one began. It never throws.
 */
export function startLoop(pass: () => Promise<"more" | "done">, pauseMs: number, spacingMs = 0): Loop {
  let stopped = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const begun = performance.now();
      const left = await pass();
      const rest = left === "done" ? pauseMs : begun + spacingMs - performance.now();
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
