import type { Metrics } from "../http/metrics.ts";

/** The maximum number of open streams of a session in this process. A page opens one. */
const maxOfSession = 20;

/** The streams that are open, by session. Each one takes a slot of the service, which all persons share. */
export function createOpenStreams(
  { streamOpened, streamClosed }: Pick<Metrics, "streamOpened" | "streamClosed">,
  max = maxOfSession,
) {
  const open = new Map<string, number>();
  return {
    /** Counts a stream until the returned function is called, once or more; undefined if the session has too many. */
    take(sessionId: string): (() => void) | undefined {
      const count = open.get(sessionId) ?? 0;
      if (count >= max) return undefined;
      open.set(sessionId, count + 1);
      streamOpened();
      let released = false;
      return () => {
        if (released) return;
        released = true;
        streamClosed();
        const left = (open.get(sessionId) ?? 1) - 1;
        if (left > 0) open.set(sessionId, left);
        else open.delete(sessionId);
      };
    },
  };
}
