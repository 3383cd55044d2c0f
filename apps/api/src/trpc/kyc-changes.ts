import type { KycChangeEvent, KycChangePage } from "@cardbridge/domain";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { ReadChanges } from "./feed.ts";
import type { Subscription } from "./subscriptions.ts";

/** A change in the format of webhooks, or the first event, which has a position and no change. */
export type KycChangesEvent =
  | Omit<KycChangeEvent, "id">
  | { type: "subscription.started"; timestamp: string; data: Record<never, never> };

/**
 * Yields the changes of the first page and every later change, each with its position as its id: a client that
 * reconnects with the last id misses no change. A new subscription starts with an event, so that its client has an id
 * to return.
 * @throws AbortError when the subscription must end. tRPC then ends the response without an end marker, so the client
 *   reconnects. The failure of the key if it is no longer valid; tRPC sends it as the last event.
 */
export async function* kycChanges(
  first: KycChangePage,
  { feed, signal, end }: Subscription,
  { read, isNew }: { read: ReadChanges; isNew: boolean },
): AsyncGenerator<TrackedEnvelope<KycChangesEvent>, void> {
  try {
    if (isNew) {
      const timestamp = new Date().toISOString();
      yield tracked(first.lastEventId, { type: "subscription.started", timestamp, data: {} });
    }
    for (let page = first; ; page = await untilAborted(signal, feed.after(page, read, signal))) {
      for (const { id, ...change } of page.changes) {
        signal.throwIfAborted();
        yield tracked(id, change);
      }
    }
  } finally {
    end();
  }
}

/** Resolves or rejects as the work does, and rejects when the signal aborts. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
