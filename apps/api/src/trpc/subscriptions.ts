import { Failure } from "@cardbridge/domain";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import { createFeed, type Feed } from "./feed.ts";

/** An open subscription. */
export interface Subscription {
  /** The feed of its platform. */
  feed: Feed;
  /** Aborts when the subscription must end: the caller disconnected, its lifetime is over, or the process stops. */
  signal: AbortSignal;
  /** Ends the subscription and releases its slot. */
  end(): void;
}

export interface Subscriptions {
  /**
   * Opens a subscription to a platform's changes.
   * @throws Failure RATE_LIMITED if the platform is at its fair limit, SERVICE_UNAVAILABLE if all slots are in use or
   *   the process stops.
   */
  open(platformId: string, caller: AbortSignal | undefined): Promise<Subscription>;
  /** Ends all subscriptions, and refuses new ones. */
  close(): void;
}

interface Options {
  /** The slots of open subscriptions. */
  slots: Pick<FairSemaphore, "take">;
  /** After this time a subscription ends, so that a revoked key loses access. The client reconnects. */
  lifetimeMs?: number;
  /** The minimum time between two polls of a platform. */
  pollMs?: number;
}

/** Creates the open subscriptions of this process, with one feed per platform. */
export function createSubscriptions({ slots, lifetimeMs = 300_000, pollMs = 1_000 }: Options): Subscriptions {
  const closing = new AbortController();
  const feeds = new Map<string, { feed: Feed; subscribers: number }>();
  /** Ends each open subscription. */
  const stops = new Set<() => void>();

  /** Counts a subscriber of a platform's feed. A feed exists while it has subscribers. */
  function join(platformId: string) {
    const joined = feeds.get(platformId) ?? { feed: createFeed(pollMs, closing.signal), subscribers: 0 };
    feeds.set(platformId, joined);
    joined.subscribers += 1;
    const leave = () => {
      joined.subscribers -= 1;
      if (joined.subscribers === 0) feeds.delete(platformId);
    };
    return { feed: joined.feed, leave };
  }

  return {
    async open(platformId, caller) {
      if (closing.signal.aborted) throw new Failure("SERVICE_UNAVAILABLE");
      const slot = await slots.take(platformId);
      const { feed, leave } = join(platformId);
      const ended = new AbortController();
      const stop = () => ended.abort();
      const timer = setTimeout(stop, lifetimeMs).unref();
      const end = () => {
        if (!stops.delete(stop)) return;
        clearTimeout(timer);
        caller?.removeEventListener("abort", stop);
        leave();
        slot.release();
      };
      stops.add(stop);
      // A response that nobody reads never starts, and then never calls `end`.
      ended.signal.addEventListener("abort", end);
      caller?.addEventListener("abort", stop);
      if (caller?.aborted || closing.signal.aborted) stop();
      return { feed, signal: ended.signal, end };
    },
    close() {
      closing.abort();
      for (const stop of [...stops]) stop();
    },
  };
}
