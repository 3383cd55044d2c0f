/** A chunk of at least this size is passed on immediately. At most `maxWaiting` smaller chunks wait. */
const largeBytes = 4_096;
const maxWaiting = 256;

/**
 * Joins small chunks before it passes them on. A chunk costs memory besides its bytes, and a caller may send a body
 * byte by byte.
 */
export function joinSmall(take: (chunk: Buffer) => void) {
  let waiting: Buffer[] = [];

  function flush(): void {
    const [first, ...more] = waiting;
    waiting = [];
    if (first) take(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  return {
    add(chunk: Buffer): void {
      waiting.push(chunk);
      if (chunk.byteLength >= largeBytes || waiting.length === maxWaiting) flush();
    },
    flush,
  };
}
