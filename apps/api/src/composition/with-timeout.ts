import { setTimeout as wait } from "node:timers/promises";

/** Waits for work, up to `millis`. Never throws. Unfinished work continues. */
export async function withTimeout(millis: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = wait(millis, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), timeout]);
  done.abort();
}
