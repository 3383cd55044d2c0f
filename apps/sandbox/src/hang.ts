import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Waits until the connection is gone: the client went away, or the sandbox closes. */
export async function untilGone(outgoing: ServerResponse): Promise<void> {
  if (!outgoing.destroyed) await once(outgoing, "close");
}

/** Does something once an answer has been sent whole, or its connection is gone. */
export function whenGone(outgoing: ServerResponse, work: () => void): void {
  if (outgoing.destroyed) work();
  else outgoing.once("close", work);
}

/** Waits for a time, but no longer than the connection lasts. */
export async function wait(outgoing: ServerResponse, milliseconds: number): Promise<void> {
  const over = new AbortController();
  const leave = () => over.abort();
  if (outgoing.destroyed) return;
  outgoing.once("close", leave);
  await delay(milliseconds, undefined, { signal: over.signal }).catch(() => {});
  outgoing.off("close", leave);
}
