/** How often an open stream checks its session, in milliseconds. */
const checkEveryMs = 5_000;

/**
 * Passes a stream on chunk by chunk until its session ends. The browser then reconnects, and is told to sign in.
 *
 * @param isOpen whether the session still is
 * @param abort ends the request to the service
 */
export function untilSessionEnds(
  stream: ReadableStream<Uint8Array>,
  isOpen: () => Promise<boolean>,
  abort: () => void,
  everyMs = checkEveryMs,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function end(): void {
    ended = true;
    clearInterval(timer);
    abort();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(async () => {
          if (ended || (await isOpen().catch(() => false)) || ended) return;
          end();
          controller.close();
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
