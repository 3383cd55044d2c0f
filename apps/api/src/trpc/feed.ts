import { setTimeout as wait } from "node:timers/promises";
import { isBehind, type KycChangePage, type Slot } from "@cardbridge/domain";

/**
 * Reads the page of changes after a position in an operation's slot, and releases the slot. Without a position, it reads
 * the current position and no changes.
 */
export type ReadChanges = (slot: Slot, lastEventId?: string) => Promise<KycChangePage>;

export interface Feed {
  /**
   * The page after `last`. It may be empty. Waits for the next poll if `last` is the current position. `signal` ends the
   * wait for a page that only this subscriber reads.
   */
  after(
    last: Pick<KycChangePage, "lastEventId" | "more">,
    read: ReadChanges,
    signal: AbortSignal,
  ): Promise<KycChangePage>;
}

interface Options {
  /** The minimum time between two polls. */
  pollMs: number;
  /** The pause after a page of a subscriber that is behind. The default leaves most of the time for calls. */
  ownPageMs?: number | undefined;
  /** Waits until the platform may read a page. */
  admit(signal: AbortSignal): Promise<Slot>;
  /** Ends the poll. It aborts when the feed has no subscribers. */
  closing: AbortSignal;
}

/** A page of changes, and the position after which it begins. */
interface Poll extends KycChangePage {
  from: string;
}

/**
 * Shares one poll for new changes among all subscribers of a platform, at most one per `pollMs`. The position of the
 * poll comes from the database, never from a subscriber. Subscribers pull, so nothing is queued. A subscriber that
 * falls behind reads its own pages until it catches up, one page of the platform after the other, with a pause: to read
 * and send a page costs far more than a call.
 */
export function createFeed({ pollMs, ownPageMs = 20, admit, closing }: Options): Feed {
  /** The last poll. The next poll continues after its last position. */
  let present: Poll | undefined;
  let next: Promise<Poll> | undefined;
  /** Ends with the last page of a subscriber that is behind. */
  let lastOwn: Promise<unknown> = Promise.resolve();
  let polledAt = performance.now();

  async function poll(read: ReadChanges): Promise<Poll> {
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
  function readNext(read: ReadChanges, from: string, signal: AbortSignal): Promise<KycChangePage> {
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
