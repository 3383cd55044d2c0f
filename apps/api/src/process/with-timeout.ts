import { setTimeout as wait } from "node:timers/promises";

/** Waits for work, up to `ms`. Unfinished work continues. Never throws: without a result it is undefined. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const timeout = wait(ms, undefined, { signal: done.signal });
  const result = await Promise.race([work, timeout].map((each) => each.catch(() => undefined)));
  done.abort();
  return result;
}
