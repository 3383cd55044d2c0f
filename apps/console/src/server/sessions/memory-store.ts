import type { Store } from "./store.ts";

/** Sign-ins that anybody can start take entries too: the oldest ones are dropped above this number. */
const maxEntries = 50_000;

/** The store of a single process. Everyone signs in again after its restart. */
export function createMemoryStore(now: () => number = Date.now): Store {
  const entries = new Map<string, { value: Buffer; until: number }>();

  function find(key: string): Buffer | undefined {
    const found = entries.get(key);
    if (found && found.until > now()) return found.value;
    entries.delete(key);
    return undefined;
  }

  function put(key: string, value: Buffer, seconds: number): void {
    entries.delete(key);
    entries.set(key, { value, until: now() + seconds * 1_000 });
    for (const [first, { until }] of entries) {
      if (until > now() && entries.size <= maxEntries) break;
      entries.delete(first);
    }
  }

  return {
    get: async (key) => find(key),
    set: async (key, value, seconds) => put(key, value, seconds),
    async replace(key, before, after, seconds) {
      if (!find(key)?.equals(before)) return false;
      put(key, after, seconds);
      return true;
    },
    async take(key) {
      const value = find(key);
      entries.delete(key);
      return value;
    },
    async delete(key) {
      entries.delete(key);
    },
    async claim(key, seconds) {
      if (find(key)) return false;
      put(key, Buffer.alloc(0), seconds);
      return true;
    },
    check: async () => {},
    close: async () => entries.clear(),
  };
}
