import { Failure } from "@cardbridge/domain";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import type { AdmitPage } from "./admit-page.ts";
import { type Change, createFeed, type Feed } from "./feed.ts";
import { type CheckKey, createKeyChecks } from "./key-checks.ts";

/** An open subscription. */
export interface Subscription<C extends Change> {
  feed: Feed<C>;
  /**
   * Aborts when the subscription must end: the caller disconnected, its lifetime or its person's token is
   * over, the process stops, or its key or person is no longer valid. Then the reason is the failure that a call gets.
   */
  signal: AbortSignal;
  /** Ends the subscription and releases its slot. */
  end(): void;
}

/** The caller of a subscription. */
interface Subscriber {
  /** Whose slot of subscriptions, and whose rate and slots of pages it uses. */
  holder: string;
  /** The name of the pages. Subscribers of one holder share the pages of a name, so these must be equal. */
  pages: string;
  /** When the person's token expires. */
  expiresAt: Date | undefined;
  checkKey: CheckKey;
  /** Aborts when the caller disconnects. */
  caller: AbortSignal | undefined;
}

export interface Subscriptions {
  /**
   * Opens a subscription to changes.
   * @throws Failure RATE_LIMITED if the holder is at its fair limit, SERVICE_UNAVAILABLE if all slots are in use or
   *   the process stops.
   */
  open<C extends Change>(subscriber: Subscriber): Promise<Subscription<C>>;
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
  /** The minimum time between two polls of a feed. */
  pollMs?: number | undefined;
  /** The time between two checks of a key and its person. */
  checkKeyMs?: number | undefined;
}

/** Creates the open subscriptions of this process, with one feed for equal pages of a holder. */
export function createSubscriptions({
  slots,
  admitPage,
  lifetimeMs = 300_000,
  pollMs = 1_000,
  checkKeyMs = 1_000,
}: SubscriptionsOptions): Subscriptions {
  const feeds = new Map<string, { feed: Feed<Change>; closing: AbortController; subscribers: number }>();
  const keyChecks = createKeyChecks(checkKeyMs);
  /** Ends each open subscription. */
  const stops = new Set<() => void>();
  let closed = false;

  function openFeed(holder: string) {
    const closing = new AbortController();
    const admit = (signal: AbortSignal) => admitPage(holder, signal);
    return { feed: createFeed<Change>({ pollMs, admit, closing: closing.signal }), closing, subscribers: 0 };
  }

  /** Counts a subscriber of a feed. A feed exists while it has subscribers. */
  function join(holder: string, pages: string) {
    const name = `${holder} ${pages}`;
    const joined = feeds.get(name) ?? openFeed(holder);
    feeds.set(name, joined);
    joined.subscribers += 1;
    const leave = () => {
      joined.subscribers -= 1;
      if (joined.subscribers > 0) return;
      feeds.delete(name);
      joined.closing.abort();
    };
    return { feed: joined.feed, leave };
  }

  return {
    async open<C extends Change>({ holder, pages, expiresAt, checkKey, caller }: Subscriber) {
      if (closed) throw new Failure("SERVICE_UNAVAILABLE");
      const slot = await slots.take(holder);
      const { feed, leave } = join(holder, pages);
      const ended = new AbortController();
      const stop = () => ended.abort();
      const tokenMs = () => (expiresAt ? expiresAt.getTime() - Date.now() : lifetimeMs);
      const timer = setTimeout(stop, Math.max(0, Math.min(lifetimeMs, tokenMs()))).unref();
      // The check of an expired token fails. The subscription ends without an error, and continues with a new token.
      const unwatch = keyChecks.watch(checkKey, (error) => (tokenMs() > 0 ? ended.abort(error) : stop()));
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
      // The name of the pages tells the type of their changes.
      return { feed: feed as unknown as Feed<C>, signal: ended.signal, end };
    },
    close() {
      closed = true;
      for (const stop of [...stops]) stop();
    },
  };
}
