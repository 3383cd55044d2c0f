/** Waiting look-ups of one key. */
interface Wanted<T> {
  key: Buffer;
  promise: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/**
 * Combines look-ups: while one call of `load` is under way, further look-ups collect, and the next call finds up to
 * `max` of them. So look-ups never take more than one connection, however many there are.
 *
 * @param load returns the results in the order of the keys. If it fails, all of its look-ups fail.
 */
export function batched<T>(load: (keys: Buffer[]) => Promise<T[]>, max: number): (key: Buffer) => Promise<T> {
  const waiting = new Map<string, Wanted<T>>();
  let active = false;

  async function loadAll(): Promise<void> {
    active = true;
    while (waiting.size > 0) await loadNext([...waiting].slice(0, max));
    active = false;
  }

  async function loadNext(entries: [string, Wanted<T>][]): Promise<void> {
    for (const [name] of entries) waiting.delete(name);
    try {
      const results = await load(entries.map(([, { key }]) => key));
      for (const [index, [, { resolve }]] of entries.entries()) resolve(results[index] as T);
    } catch (error) {
      for (const [, { reject }] of entries) reject(error);
    }
  }

  return (key) => {
    const name = key.toString("latin1");
    const known = waiting.get(name);
    if (known) return known.promise;
    const wanted = { key, ...Promise.withResolvers<T>() };
    waiting.set(name, wanted);
    if (!active) void loadAll();
    return wanted.promise;
  };
}
