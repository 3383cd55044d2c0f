import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { Change, ChangePage, ReadChanges } from "./feed.ts";
import type { Subscription } from "./subscriptions.ts";

/** The first event of a subscription, which has a position and no change. */
interface SubscriptionStarted {
  type: "subscription.started";
  timestamp: string;
  data: Record<never, never>;
}

interface Source<C extends Change, Event> {
  read: ReadChanges<C>;
  /** Whether the subscriber has no position yet. */
  isNew: boolean;
  toEvent(change: C): Event;
}

/**
 * Yields the changes of the first page and every later change, each with its position as its id: a client that
 * reconnects with the last id misses no change. A new subscription starts with an event, so that its client has an id
 * to return.
 * @throws AbortError when the subscription must end. tRPC then ends the response without an end marker, so the client
 *   reconnects. The failure of the key or the person if it is no longer valid; tRPC sends it as the last event.
 */
export function sendChanges<C extends Change, Event>(
  ...given: Parameters<typeof changesOf<C, Event>>
): ReturnType<typeof changesOf<C, Event>> {
  const generator = changesOf(...given);
  const next = generator.next.bind(generator);
  // tRPC requests an event before it waits for it. If the caller leaves in between, nobody handles the rejection.
  generator.next = () => {
    const event = next();
    event.catch(() => {});
    return event;
  };
  return generator;
}

async function* changesOf<C extends Change, Event>(
  first: ChangePage<C>,
  { feed, signal, end }: Subscription<C>,
  { read, isNew, toEvent }: Source<C, Event>,
): AsyncGenerator<TrackedEnvelope<Event | SubscriptionStarted>, void> {
  try {
    if (isNew) {
      const timestamp = new Date().toISOString();
      yield tracked(first.lastEventId, { type: "subscription.started", timestamp, data: {} });
    }
    for (let page = first; ; page = await untilAborted(signal, feed.after(page, read, signal))) {
      for (const change of page.changes) {
        signal.throwIfAborted();
        yield tracked(change.id, toEvent(change));
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
