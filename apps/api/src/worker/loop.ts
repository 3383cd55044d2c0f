import { reasonOf } from "@cardbridge/domain";

/** One pass. Resolves to true if there is more work. Never throws. */
export type Pass = () => Promise<boolean>;

export interface Loop {
  /** Ends the pause, because there may be more work. */
  wake(): void;
  /** Stops the loop and waits for the current pass. */
  stop(): Promise<void>;
}

/**
 * Runs a pass immediately and after every pause. If there is more work, the next pass starts without a pause, but at
 * least `spacingMs` after the start of the previous one. Times are in milliseconds.
 */
export function startLoop(pass: Pass, pauseMs: number, spacingMs = 0): Loop {
  let stopped = false;
  let more = false;
  let endPause = () => {};
  let endSpacing = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const startedAt = performance.now();
      more = false;
      if (await pass()) more = true;
      if (!more && !stopped) await sleep(pauseMs, (end) => (endPause = end));
      const spacing = startedAt + spacingMs - performance.now();
      if (spacing > 0 && !stopped) await sleep(Math.ceil(spacing), (end) => (endSpacing = end));
    }
  }

  const running = run();
  return {
    wake() {
      more = true;
      endPause();
    },
    stop() {
      stopped = true;
      endPause();
      endSpacing();
      return running;
    },
  };
}

/**
 * Renews a state immediately and after every pause. A failure has no effect: the next renewal tries again.
 * @param onFailure receives the reason of the first failure after a success
 */
export function startRenewal(
  renew: () => Promise<void>,
  pauseMs: number,
  onFailure: (reason: string) => void,
): Loop {
  let failing = false;
  return startLoop(async () => {
    try {
      await renew();
      failing = false;
    } catch (error) {
      if (!failing) onFailure(reasonOf(error));
      failing = true;
    }
    return false;
  }, pauseMs);
}

/** Sleeps for some milliseconds, or until the function that `keep` receives is called. */
function sleep(ms: number, keep: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    keep(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
