/** The look-ups of one key that wait for a result. */
interface Wanted<T> {
  key: Buffer;
  promise: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/**
 * Combines look-ups. While one call of `load` is in progress, further look-ups queue, and the next call loads up to
 * `max` of them. Look-ups therefore use at most one connection.
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
