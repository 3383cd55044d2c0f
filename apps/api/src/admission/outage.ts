import { Failure } from "@cardbridge/domain";

/** A database without an outage ends some work within this time, in milliseconds. It is the wait for an operation. */
const silentMs = 250;

/** Watches work at the database, to tell an outage from a flood of calls. */
export interface OutageWatch {
  /** Runs work at the database. @throws its errors */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the last work found the database unavailable, or work is running and none of it has ended for 250 ms. */
  isUnavailable(): boolean;
}

/** @param now a monotonic clock in milliseconds */
export function watchOutages(now: () => number = () => performance.now()): OutageWatch {
  let running = 0;
  let failed = false;
  /** The start of the first running work, or the end of the last. */
  let since = 0;

  return {
    async run(work) {
      if (running === 0) since = now();
      running += 1;
      try {
        const result = await work();
        failed = false;
        return result;
      } catch (error) {
        failed = error instanceof Failure && error.code === "SERVICE_UNAVAILABLE";
        throw error;
      } finally {
        running -= 1;
        since = now();
      }
    },
    isUnavailable: () => failed || (running > 0 && now() - since > silentMs),
  };
}
