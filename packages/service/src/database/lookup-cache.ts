import { LRUCache } from "lru-cache";

/** Looks up a value; null where there is none. `limit` lowers the number of seconds for which the result is cached. */
type LookUp<T> = (limit: (seconds: number) => void) => Promise<T | null>;

/** Caches found values for a short time. It does not cache misses, so a new key or user is found immediately. */
export interface LookupCache {
  /** The value under a name, without a promise if it is cached. A name starts with the kind of its value. */
  find<T extends object>(name: string, lookUp: LookUp<T>): T | Promise<T | null>;
}

interface Options {
  /** How long a result is cached, from the start of its look-up. 0 disables the cache. */
  seconds: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

const maxEntries = 10_000;

/** Caches nothing. */
export const noLookupCache: LookupCache = { find: (_name, lookUp) => lookUp(() => {}) };

/**
 * Creates a cache of keys, users and platforms. The time counts from the start of a look-up, because the data it reads
 * may be older than its end. A revoked key or an erased user therefore leaves every cache within `seconds`.
 */
export function createLookupCache({ seconds, now = () => performance.now() }: Options): LookupCache {
  if (seconds === 0) return noLookupCache;
  const entries = new LRUCache<string, object>({ max: maxEntries, perf: { now }, ttlResolution: 0 });

  async function lookUpNow<T extends object>(name: string, lookUp: LookUp<T>): Promise<T | null> {
    const start = now();
    let maxSeconds = seconds;
    const found = await lookUp((limit) => {
      maxSeconds = Math.min(maxSeconds, limit);
    });
    const ttl = Math.floor(maxSeconds * 1_000);
    // The library treats a ttl of 0 as unlimited.
    if (found && ttl > 0) entries.set(name, found, { start, ttl });
    return found;
  }

  return {
    find: <T extends object>(name: string, lookUp: LookUp<T>) =>
      (entries.get(name) as T | undefined) ?? lookUpNow(name, lookUp),
  };
}
