import { setTimeout as wait } from "node:timers/promises";
import { isBehind, type Slot } from "@cardbridge/domain";

/** A change with its position. */
export interface Change {
  id: string;
}

export interface ChangePage<C extends Change> {
  changes: C[];
  /** The position after the page. */
  lastEventId: string;
  /** Whether more changes exist already. */
  more: boolean;
}

/**
 * Reads the page of changes after a position in an operation's slot, and releases the slot. Without a position, it reads
 * the current position and no changes.
 */
export type ReadChanges<C extends Change> = (slot: Slot, lastEventId?: string) => Promise<ChangePage<C>>;

export interface Feed<C extends Change> {
  /**
   * The page after `last`. It may be empty. Waits for the next poll if `last` is the current position. `signal` ends the
   * wait for a page that only this subscriber reads.
   */
  after(
    last: Pick<ChangePage<C>, "lastEventId" | "more">,
    read: ReadChanges<C>,
    signal: AbortSignal,
  ): Promise<ChangePage<C>>;
}

interface Options {
  /** The minimum time between two polls. */
  pollMs: number;
  /** The pause after a page of a subscriber that is behind. The default leaves most of the time for calls. */
  ownPageMs?: number | undefined;
  /** Waits until the holder of the subscriptions may read a page. */
  admit(signal: AbortSignal): Promise<Slot>;
  /** Ends the poll. It aborts when the feed has no subscribers. */
  closing: AbortSignal;
}

/** A page of changes, and the position after which it begins. */
interface Poll<C extends Change> extends ChangePage<C> {
  from: string;
}

/**
 * Shares one poll for new changes among subscribers of equal pages, at most one per `pollMs`. The position of the
 * poll comes from the database, never from a subscriber. Subscribers pull, so nothing is queued. A subscriber that
 * falls behind reads its own pages until it catches up, one page after the other, with a pause: to read
 * and send a page costs far more than a call.
 */
export function createFeed<C extends Change>({ pollMs, ownPageMs = 20, admit, closing }: Options): Feed<C> {
  /** The last poll. The next poll continues after its last position. */
  let present: Poll<C> | undefined;
  let next: Promise<Poll<C>> | undefined;
  /** Ends with the last page of a subscriber that is behind. */
  let lastOwn: Promise<unknown> = Promise.resolve();
  let polledAt = performance.now();

  async function poll(read: ReadChanges<C>): Promise<Poll<C>> {
    const from = present?.lastEventId;
    const pause = present?.more ? 0 : polledAt + pollMs - performance.now();
    try {
      if (pause > 0) await wait(pause, undefined, { signal: closing });
      const page = await read(await admit(closing), from);
      present = { ...page, from: from ?? page.lastEventId };
      return present;
    } catch (error) {
      present = undefined;
      throw error;
    } finally {
      polledAt = performance.now();
      next = undefined;
    }
  }

  /** Reads a page of a subscriber that is behind, after those that wait already. */
  function readNext(read: ReadChanges<C>, from: string, signal: AbortSignal): Promise<ChangePage<C>> {
    const page = lastOwn.then(async () => read(await admit(signal), from));
    lastOwn = page.catch(() => {}).then(() => wait(ownPageMs, undefined, { ref: false }));
    return page;
  }

  return {
    async after({ lastEventId, more }, read, signal) {
      const readOwn = () => readNext(read, lastEventId, signal);
      if (more && lastEventId !== present?.lastEventId) return readOwn();
      next ??= poll(read);
      const { from, ...page } = await next;
      if (isBehind(lastEventId, from)) return readOwn();
      const changes = page.changes.filter(({ id }) => isBehind(lastEventId, id));
      return isBehind(lastEventId, page.lastEventId)
        ? { ...page, changes }
        : { ...page, changes, lastEventId };
    },
  };
}
