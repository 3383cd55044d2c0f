import type { KycChangeEvent, KycChangePage } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createFeed } from "../../src/trpc/feed.ts";

/** A database with this many changes. It counts its reads, and fails after 50 reads. */
function changesOf(count: number) {
  const state = { count, reads: [] as (string | undefined)[] };
  const read = async (lastEventId?: string): Promise<KycChangePage> => {
    state.reads.push(lastEventId);
    if (state.reads.length > 50) throw new Error("polls without a pause");
    const end = `${state.count + 1}-0`;
    const from = Number((lastEventId ?? end).split("-")[0]);
    const changes = Array.from({ length: Math.max(0, state.count - from) }, (_, index) => {
      return { id: `${from + index + 1}-1` } as KycChangeEvent;
    });
    return { changes, lastEventId: end, more: false };
  };
  return { state, read };
}

const never = new AbortController().signal;
const forged = { lastEventId: "999999999999999999-0", more: false };
const pending = Symbol("pending");
/** The state of a promise after all pending work without timers. */
const now = async <T>(promise: Promise<T>) => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  return Promise.race([promise, pending]);
};

describe("a feed of changes", () => {
  it("pauses after an empty page, regardless of another subscriber's position", async () => {
    const { state, read } = changesOf(3);
    const feed = createFeed(600_000, never);
    const forger = feed.after(forged, read);
    const honest = [1, 2, 3].map(() => feed.after({ lastEventId: "4-0", more: false }, read));
    for (const page of [forger, ...honest]) expect(await now(page)).toBe(pending);
    expect(state.reads).toEqual([]);
  });

  it("takes its position from the database, so that subscribers do not share positions", async () => {
    const { state, read } = changesOf(3);
    const feed = createFeed(1, never);
    await Promise.all([feed.after(forged, read), feed.after({ lastEventId: "4-0", more: false }, read)]);
    state.count = 5;
    const [page] = await Promise.all([
      feed.after({ lastEventId: "4-0", more: false }, read),
      feed.after(forged, read),
    ]);
    expect(page.changes.map(({ id }) => id)).toEqual(["5-1"]);
    expect(state.reads).not.toContain(forged.lastEventId);
  });

  it("starts again from the current position after a failed poll", async () => {
    const { read } = changesOf(3);
    const feed = createFeed(1, never);
    await feed.after({ lastEventId: "4-0", more: false }, read);
    const failing = async () => Promise.reject(new Error("the position is beyond the present"));
    await expect(feed.after({ lastEventId: "4-0", more: false }, failing)).rejects.toThrow("beyond");
    expect(await feed.after({ lastEventId: "1-1", more: false }, read)).toMatchObject({
      changes: [{ id: "2-1" }, { id: "3-1" }],
      lastEventId: "4-0",
    });
  });
});
