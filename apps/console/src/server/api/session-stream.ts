/** How often an open stream checks its session, in milliseconds. */
const checkEveryMs = 5_000;

/**
 * Passes a stream on chunk by chunk until its session ends, or the process does. The browser then reconnects, and is told to
 * sign in, or reaches another process.
 *
 * @param isOpen whether the session still is
 * @param end ends the request to the service; it is called once or more
 * @param closing aborted when the process ends its streams
 */
export function untilSessionEnds(
  stream: ReadableStream<Uint8Array>,
  isOpen: () => Promise<boolean>,
  end: () => void,
  closing: AbortSignal | undefined,
  everyMs = checkEveryMs,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const over = new AbortController();
  const timer = setInterval(async () => {
    if (!(await isOpen().catch(() => false))) over.abort();
  }, everyMs);
  const signal = closing ? AbortSignal.any([over.signal, closing]) : over.signal;
  // A browser that does not read must not keep the request to the service.
  signal.addEventListener("abort", end);
  void stream
    .pipeTo(writable, { signal, preventAbort: true })
    .catch(() => writable.close().catch(() => {}))
    .finally(() => {
      clearInterval(timer);
      end();
    });
  return readable;
}
