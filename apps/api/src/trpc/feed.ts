import { setTimeout as wait } from "node:timers/promises";
import { isBehind, type KycChangePage } from "@cardbridge/domain";

/** Reads the page of changes after a position; without a position, the current position and no changes. */
export type ReadChanges = (lastEventId?: string) => Promise<KycChangePage>;

export interface Feed {
  /** The page after `last`. It may be empty. Waits for the next poll if `last` is the current position. */
  after(last: Pick<KycChangePage, "lastEventId" | "more">, read: ReadChanges): Promise<KycChangePage>;
}

/** A page of changes, and the position after which it begins. */
interface Poll extends KycChangePage {
  from: string;
}

/**
 * Shares one poll for new changes among all subscribers of a platform, at most one per `pollMs`. The position of the
 * poll comes from the database, never from a subscriber. Subscribers pull, so nothing is queued. A subscriber that
 * falls behind reads its own pages until it catches up.
 */
export function createFeed(pollMs: number, closing: AbortSignal): Feed {
  /** The last poll. The next poll continues after its last position. */
  let present: Poll | undefined;
  let next: Promise<Poll> | undefined;
  let polledAt = performance.now();

  async function poll(read: ReadChanges): Promise<Poll> {
    const from = present?.lastEventId;
    const pause = present?.more ? 0 : polledAt + pollMs - performance.now();
    try {
      if (pause > 0) await wait(pause, undefined, { signal: closing });
      const page = await read(from);
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

  return {
    async after({ lastEventId, more }, read) {
      if (more && lastEventId !== present?.lastEventId) return read(lastEventId);
      next ??= poll(read);
      const { from, ...page } = await next;
      if (isBehind(lastEventId, from)) return read(lastEventId);
      const changes = page.changes.filter(({ id }) => isBehind(lastEventId, id));
      return isBehind(lastEventId, page.lastEventId)
        ? { ...page, changes }
        : { ...page, changes, lastEventId };
    },
  };
}
