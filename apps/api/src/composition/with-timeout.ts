import { setTimeout as wait } from "node:timers/promises";

/** Waits for work, and for so many milliseconds at most; what is not done by then goes on unwatched. */
export async function atMost(millis: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const patience = wait(millis, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), patience]);
  done.abort();
}
