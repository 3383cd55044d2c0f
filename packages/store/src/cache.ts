import { LRUCache } from "lru-cache";
import type { LookupChanges } from "./lookup-changes.ts";

export interface CacheOptions {
  changes: LookupChanges;
  /** How long a result may be cached, from the start of its look-up. */
  seconds: number;
}

/** Looks something up; null where there is nothing. `limitAge` lowers the seconds for which it may be cached. */
type LookUp<T> = (limitAge: (seconds: number) => void) => Promise<T | null>;

/** Returns the cached result for a name, or looks it up. */
export type Cache<T> = (name: Buffer, lookUp: LookUp<T>) => Promise<T | null>;

const maxEntries = 10_000;

/**
 * Caches the results of look-ups until they change. Nothing is cached while changes are not heard, and neither is a
 * result whose look-up began before the latest change: it may be older. Misses are never cached, so a new key or user
 * is found at once. Without options nothing is cached at all.
 */
export function createCache<T extends object>(options: CacheOptions | undefined): Cache<T> {
  if (!options) return (_, lookUp) => lookUp(() => {});
  const { changes, seconds } = options;
  const entries = new LRUCache<string, T>({ max: maxEntries });
  let changeCount = 0;
  changes.subscribe((name) => {
    changeCount += 1;
    if (name === null) entries.clear();
    else entries.delete(name);
  });
  return async (key, lookUp) => {
    const name = key.toString("hex");
    const cached = changes.areHeard() ? entries.get(name) : undefined;
    if (cached) return cached;
    const [start, countBefore] = [performance.now(), changeCount];
    let maxSeconds = seconds;
    const result = await lookUp((limit) => {
      maxSeconds = Math.min(maxSeconds, limit);
    });
    const ttl = Math.floor(maxSeconds * 1_000);
    const isCurrent = changes.areHeard() && changeCount === countBefore;
    // To the library, a ttl of 0 means for ever.
    if (result && isCurrent && ttl > 0) entries.set(name, result, { start, ttl });
    return result;
  };
}
