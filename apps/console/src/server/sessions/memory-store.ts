import type { Store } from "./store.ts";

/** The maximum number of entries of a kind: the oldest ones are dropped above it. */
const maxOfKind = 50_000;

interface Entry {
  value: Buffer;
  until: number;
}

/**
 * The store of a single process. Everyone signs in again after its restart. Each kind of entry has its own limit, because
 * anybody can start sign-ins, and these must not drop sessions.
 */
export function createMemoryStore(now: () => number = Date.now, max = maxOfKind): Store {
  const kinds = new Map<string, Map<string, Entry>>();

  /** The entries of the key's kind: the text before its first colon. */
  function entriesOf(key: string): Map<string, Entry> {
    const kind = key.split(":", 1)[0] ?? "";
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    return entries;
  }

  function find(key: string): Buffer | undefined {
    const entries = entriesOf(key);
    const found = entries.get(key);
    if (found && found.until > now()) return found.value;
    entries.delete(key);
    return undefined;
  }

  function put(key: string, value: Buffer, seconds: number): void {
    const entries = entriesOf(key);
    entries.delete(key);
    entries.set(key, { value, until: now() + seconds * 1_000 });
    for (const [first, { until }] of entries) {
      if (until > now() && entries.size <= max) break;
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
      entriesOf(key).delete(key);
      return value;
    },
    async delete(key) {
      entriesOf(key).delete(key);
    },
    async claim(key, seconds) {
      if (find(key)) return false;
      put(key, Buffer.alloc(0), seconds);
      return true;
    },
    check: async () => {},
    count: (kind) => [...entriesOf(kind).values()].filter(({ until }) => until > now()).length,
    close: async () => kinds.clear(),
  };
}
