export interface Loop {
  /** Begins no further pass and waits for the one under way. */
  stop(): Promise<void>;
}

/** Makes a pass now and again after every pause; none where the pass says that there is more. It never throws. */
export function startLoop(pass: () => Promise<"more" | "done">, pauseMs: number): Loop {
  let stopped = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const left = await pass();
      if (left === "done" && !stopped) await sleep();
    }
  }

  function sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
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
