import { setTimeout as wait } from "node:timers/promises";

/** Waits for work, for so many milliseconds at most. Never throws; unfinished work goes on. */
export async function withTimeout(millis: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = wait(millis, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), timeout]);
  done.abort();
}
