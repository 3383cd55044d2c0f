import { LRUCache } from "lru-cache";

/** Looks something up; null where there is nothing. `limit` lowers the seconds for which the result is remembered. */
type LookUp<T> = (limit: (seconds: number) => void) => Promise<T | null>;

/** Remembers what was found, for a moment. It remembers no misses, so a new key or user is found at once. */
export interface LookupCache {
  /** What was found under a name, without a promise if it is remembered. A name begins with the kind of its result. */
  find<T extends object>(name: string, lookUp: LookUp<T>): T | Promise<T | null>;
}

interface Options {
  /** How long a result is remembered, from the start of its look-up. 0 remembers nothing. */
  seconds: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

const maxEntries = 10_000;

/** Remembers nothing. */
export const noLookupCache: LookupCache = { find: (_name, lookUp) => lookUp(() => {}) };

/**
 * Creates a cache of keys, users and platforms. The time counts from the start of a look-up, because what it reads may be
 * older than its end. So a revoked key and an erased user end within `seconds` in every process.
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
    // To the library, a ttl of 0 means for ever.
    if (found && ttl > 0) entries.set(name, found, { start, ttl });
    return found;
  }

  return {
    find: <T extends object>(name: string, lookUp: LookUp<T>) =>
      (entries.get(name) as T | undefined) ?? lookUpNow(name, lookUp),
  };
}
