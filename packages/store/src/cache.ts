import { LRUCache } from "lru-cache";

/** Returns the cached result for a key, or looks it up. */
export type Cache<T> = (key: Buffer, find: () => Promise<T | null>) => Promise<T | null>;

const maxEntries = 10_000;

/**
 * Caches the results of look-ups for so many seconds, counted from the start of the look-up; 0 disables the cache.
 * Misses are never cached, so a new key or user is found at once.
 */
export function createCache<T extends object>(seconds: number): Cache<T> {
  if (seconds === 0) return (_, find) => find();
  const entries = new LRUCache<string, T>({ max: maxEntries, ttl: seconds * 1_000 });
  return async (key, find) => {
    const name = key.toString("latin1");
    const cached = entries.get(name);
    if (cached) return cached;
    const start = performance.now();
    const result = await find();
    if (result) entries.set(name, result, { start });
    return result;
  };
}
