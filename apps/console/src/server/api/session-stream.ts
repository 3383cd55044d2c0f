/** How often an open stream checks its session, in milliseconds. */
const checkEveryMs = 5_000;

/**
 * Passes a stream on chunk by chunk until its session ends, or the process does. The browser then reconnects, and is told to
 * sign in, or reaches another process.
 *
 * @param isOpen whether the session still is
 * @param abort ends the request to the service
 * @param closing aborted when the process ends its streams
 */
export function untilSessionEnds(
  stream: ReadableStream<Uint8Array>,
  isOpen: () => Promise<boolean>,
  abort: () => void,
  closing: AbortSignal | undefined,
  everyMs = checkEveryMs,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  let close = () => {};

  function end(): void {
    ended = true;
    clearInterval(timer);
    closing?.removeEventListener("abort", close);
    abort();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        close = () => {
          if (ended) return;
          end();
          controller.close();
        };
        closing?.addEventListener("abort", close);
        if (closing?.aborted) return close();
        timer = setInterval(async () => {
          if (!ended && !(await isOpen().catch(() => false))) close();
        }, everyMs);
      },
      async pull(controller) {
        const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
        if (ended) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
