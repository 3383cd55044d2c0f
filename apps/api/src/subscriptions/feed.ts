import { setTimeout as wait } from "node:timers/promises";
import { isBehind, type KycChangePage } from "@cardbridge/domain";

/** Reads the page of changes after a position. */
export type ReadChanges = (lastEventId: string) => Promise<KycChangePage>;

export interface Feed {
  /** The page after `last`. It may be empty. It waits for the next poll if `last` was the present. */
  after(last: Pick<KycChangePage, "lastEventId" | "more">, read: ReadChanges): Promise<KycChangePage>;
}

/**
 * Shares one poll of the present changes among all subscribers of a platform, at most one per `pollMs`. Each subscriber has
 * its own position and asks when it can take more, so nothing is queued. A subscriber that fell behind reads its own
 * pages until it reaches the present.
 */
export function createFeed(pollMs: number, closing: AbortSignal): Feed {
  /** Where the last poll ended. */
  let present: string | undefined;
  let next: Promise<KycChangePage> | undefined;
  let polledAt = performance.now();
  let more = false;

  async function poll(from: string, read: ReadChanges): Promise<KycChangePage> {
    try {
      const pause = more ? 0 : polledAt + pollMs - performance.now();
      if (pause > 0) await wait(pause, undefined, { signal: closing });
      const page = await read(from);
      present = page.lastEventId;
      more = page.more;
      return page;
    } finally {
      polledAt = performance.now();
      next = undefined;
    }
  }

  return {
    async after(last, read) {
      const position = last.lastEventId;
      if (present === undefined ? last.more : isBehind(position, present)) return read(position);
      if (last.more && position !== present) return read(position);
      present ??= position;
      next ??= poll(present, read);
      const page = await next;
      const changes = page.changes.filter(({ id }) => isBehind(position, id));
      const lastEventId = isBehind(position, page.lastEventId) ? page.lastEventId : position;
      return { ...page, changes, lastEventId };
    },
  };
}
