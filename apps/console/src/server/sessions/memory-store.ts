import type { Store } from "./store.ts";

/** The maximum number of entries: the oldest ones are dropped above it. */
const maxEntries = 50_000;

interface Entry {
  value: Buffer;
  until: number;
}

/** The store of a single process. Everyone signs in again after its restart. */
export function createMemoryStore(now: () => number = Date.now, max = maxEntries): Store {
  const entries = new Map<string, Entry>();

  function find(key: string): Entry | undefined {
    const found = entries.get(key);
    if (found && found.until > now()) return found;
    entries.delete(key);
    return undefined;
  }

  function put(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    for (const [first, { until }] of entries) {
      if (until > now() && entries.size <= max) break;
      entries.delete(first);
    }
  }

  const untilIn = (seconds: number) => now() + seconds * 1_000;

  return {
    get: async (key) => find(key)?.value,
    set: async (key, value, seconds) => put(key, { value, until: untilIn(seconds) }),
    async replace(key, before, after) {
      const found = find(key);
      if (!found?.value.equals(before)) return false;
      put(key, { ...found, value: after });
      return true;
    },
    async prolong(key, seconds) {
      const found = find(key);
      if (found) put(key, { ...found, until: untilIn(seconds) });
    },
    async delete(key) {
      entries.delete(key);
    },
    async claim(key, seconds) {
      if (find(key)) return false;
      put(key, { value: Buffer.alloc(0), until: untilIn(seconds) });
      return true;
    },
    check: async () => {},
    count: (kind) =>
      [...entries].filter(([key, { until }]) => key.startsWith(`${kind}:`) && until > now()).length,
    close: async () => entries.clear(),
  };
}
