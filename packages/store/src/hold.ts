import { LRUCache } from "lru-cache";

/** Gives what is held under a name, or looks it up. */
export type Hold<T> = (name: Buffer, find: () => Promise<T | null>) => Promise<T | null>;

const mostEntries = 10_000;

/**
 * Holds what look-ups found for so many seconds from when they began; 0 for not at all. That there is nothing is
 * never held: what was made a moment ago is found.
 */
export function createCache<T extends object>(seconds: number): Hold<T> {
  if (seconds === 0) return (_, find) => find();
  const held = new LRUCache<string, T>({ max: mostEntries, ttl: seconds * 1_000 });
  return async (name, find) => {
    const key = name.toString("latin1");
    const known = held.get(key);
    if (known) return known;
    const start = performance.now();
    const found = await find();
    if (found) held.set(key, found, { start });
    return found;
  };
}
