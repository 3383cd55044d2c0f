import { Failure } from "@cardbridge/domain";

/** How long an upload waits for its turn, and how many may wait. */
const longestWaitMs = 30_000;
const mostWaiting = 1_000;

/** Lets so many uploads be in memory at once; the others wait with their bodies unread. */
export interface UploadQueue {
  /**
   * Runs `work` when it is its turn.
   * @throws Failure SERVICE_UNAVAILABLE where its turn does not come soon; what `work` throws, as it is.
   */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function createUploadQueue(atOnce: number, waitMs = longestWaitMs): UploadQueue {
  const waiting = new Set<() => void>();
  let inside = 0;

  function turn(): Promise<void> {
    if (inside < atOnce) {
      inside += 1;
      return Promise.resolve();
    }
    const busy = new Failure("SERVICE_UNAVAILABLE", {
      retryAfterSeconds: 5,
      cause: new Error("uploads-busy"),
    });
    if (waiting.size >= mostWaiting) return Promise.reject(busy);
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        waiting.delete(enter);
        reject(busy);
      }, waitMs);
      waiting.add(enter);
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (!next) {
      inside -= 1;
      return;
    }
    // The place is handed on.
    waiting.delete(next);
    next();
  }

  return {
    async pass(work) {
      await turn();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
