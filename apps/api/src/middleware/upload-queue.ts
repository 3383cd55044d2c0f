import { Failure } from "@cardbridge/domain";

/** The maximum time in the queue, and the maximum length of the queue. */
const maxWaitMs = 30_000;
const maxWaiting = 1_000;

/** Limits the number of uploads in memory. Others wait, and their bodies stay unread. */
export interface UploadQueue {
  /**
   * Runs `work` when there is a free slot.
   * @throws Failure SERVICE_UNAVAILABLE if no slot becomes free in time; any error of `work`.
   */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function createUploadQueue(maxActive: number, waitMs = maxWaitMs): UploadQueue {
  const waiting = new Set<() => void>();
  let active = 0;

  function acquire(): Promise<void> {
    if (active < maxActive) {
      active += 1;
      return Promise.resolve();
    }
    const busy = new Failure("SERVICE_UNAVAILABLE", {
      retryAfterSeconds: 5,
      cause: new Error("uploads-busy"),
    });
    if (waiting.size >= maxWaiting) return Promise.reject(busy);
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timeout);
        resolve();
      };
      const timeout = setTimeout(() => {
        waiting.delete(enter);
        reject(busy);
      }, waitMs);
      waiting.add(enter);
    });
  }

  function release(): void {
    const [next] = waiting;
    if (!next) {
      active -= 1;
      return;
    }
    // Pass the slot on to the next upload.
    waiting.delete(next);
    next();
  }

  return {
    async pass(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
