import { Failure } from "@cardbridge/domain";
import type { AdmitPage } from "../admission/admit-page.ts";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import { createFeed, type Feed } from "./feed.ts";
import { type CheckKey, createKeyChecks } from "./key-checks.ts";

/** An open subscription. */
export interface Subscription {
  /** The feed of its platform. */
  feed: Feed;
  /**
   * Aborts when the subscription must end: the caller disconnected, its lifetime is over, the process stops, or its key
   * is no longer valid. Then the reason is the failure that a call with the key gets.
   */
  signal: AbortSignal;
  /** Ends the subscription and releases its slot. */
  end(): void;
}

/** The caller of a subscription. */
interface Subscriber {
  platformId: string;
  checkKey: CheckKey;
  /** Aborts when the caller disconnects. */
  caller: AbortSignal | undefined;
}

export interface Subscriptions {
  /**
   * Opens a subscription to a platform's changes.
   * @throws Failure RATE_LIMITED if the platform is at its fair limit, SERVICE_UNAVAILABLE if all slots are in use or
   *   the process stops.
   */
  open(subscriber: Subscriber): Promise<Subscription>;
  /** Ends all subscriptions, and refuses new ones. */
  close(): void;
}

export interface SubscriptionsOptions {
  /** The slots of open subscriptions. */
  slots: Pick<FairSemaphore, "take">;
  /** Admits each page after the first one, which the request itself reads. */
  admitPage: AdmitPage;
  /** After this time a subscription ends. The client reconnects, to any process. */
  lifetimeMs?: number | undefined;
  /** The minimum time between two polls of a platform. */
  pollMs?: number | undefined;
  /** The time between two checks of a key. */
  checkKeyMs?: number | undefined;
}

/** Creates the open subscriptions of this process, with one feed per platform. */
export function createSubscriptions({
  slots,
  admitPage,
  lifetimeMs = 300_000,
  pollMs = 1_000,
  checkKeyMs = 1_000,
}: SubscriptionsOptions): Subscriptions {
  const feeds = new Map<string, { feed: Feed; closing: AbortController; subscribers: number }>();
  const keyChecks = createKeyChecks(checkKeyMs);
  /** Ends each open subscription. */
  const stops = new Set<() => void>();
  let closed = false;

  function openFeed(platformId: string) {
    const closing = new AbortController();
    const admit = (signal: AbortSignal) => admitPage(platformId, signal);
    return { feed: createFeed({ pollMs, admit, closing: closing.signal }), closing, subscribers: 0 };
  }

  /** Counts a subscriber of a platform's feed. A feed exists while it has subscribers. */
  function join(platformId: string) {
    const joined = feeds.get(platformId) ?? openFeed(platformId);
    feeds.set(platformId, joined);
    joined.subscribers += 1;
    const leave = () => {
      joined.subscribers -= 1;
      if (joined.subscribers > 0) return;
      feeds.delete(platformId);
      joined.closing.abort();
    };
    return { feed: joined.feed, leave };
  }

  return {
    async open({ platformId, checkKey, caller }) {
      if (closed) throw new Failure("SERVICE_UNAVAILABLE");
      const slot = await slots.take(platformId);
      const { feed, leave } = join(platformId);
      const ended = new AbortController();
      const stop = () => ended.abort();
      const timer = setTimeout(stop, lifetimeMs).unref();
      const unwatch = keyChecks.watch(checkKey, (error) => ended.abort(error));
      const end = () => {
        if (!stops.delete(stop)) return;
        clearTimeout(timer);
        unwatch();
        caller?.removeEventListener("abort", stop);
        leave();
        slot.release();
      };
      stops.add(stop);
      // A response that nobody reads never starts, and then never calls `end`.
      ended.signal.addEventListener("abort", end);
      caller?.addEventListener("abort", stop);
      if (caller?.aborted || closed) stop();
      return { feed, signal: ended.signal, end };
    },
    close() {
      closed = true;
      for (const stop of [...stops]) stop();
    },
  };
}
