import type { KycChangeEvent, KycChangePage } from "@cardbridge/domain";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { sendChanges } from "../../src/trpc/changes.ts";
import { createFeed, type ReadChanges } from "../../src/trpc/feed.ts";

/** A database with this many changes. It counts its reads, and fails after 50 reads. */
function changesOf(count: number) {
  const state = { count, reads: [] as (string | undefined)[] };
  const read: ReadChanges<KycChangeEvent> = async (slot, lastEventId): Promise<KycChangePage> => {
    slot.release();
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
/** A feed whose pages are admitted immediately, or as `admit` says, and a subscriber's way to read it. */
function feedOf(
  pollMs: number,
  admit = async (_signal: AbortSignal) => createFairSemaphore({ capacity: 1 }).take("a"),
) {
  const feed = createFeed({ pollMs, admit, closing: never });
  return {
    after: (last: Parameters<typeof feed.after>[0], read: ReadChanges<KycChangeEvent>) =>
      feed.after(last, read, never),
  };
}
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
    const feed = feedOf(600_000);
    const forger = feed.after(forged, read);
    const honest = [1, 2, 3].map(() => feed.after({ lastEventId: "4-0", more: false }, read));
    for (const page of [forger, ...honest]) expect(await now(page)).toBe(pending);
    expect(state.reads).toEqual([]);
  });

  it("takes its position from the database, so that subscribers do not share positions", async () => {
    const { state, read } = changesOf(3);
    const feed = feedOf(1);
    await Promise.all([feed.after(forged, read), feed.after({ lastEventId: "4-0", more: false }, read)]);
    state.count = 5;
    const [page] = await Promise.all([
      feed.after({ lastEventId: "4-0", more: false }, read),
      feed.after(forged, read),
    ]);
    expect(page.changes.map(({ id }) => id)).toEqual(["5-1"]);
    expect(state.reads).not.toContain(forged.lastEventId);
  });
});

describe("subscribers that are behind", () => {
  const behind = { lastEventId: "1-1", more: true };

  it("read their own pages one after the other, because a page costs far more than a call", async () => {
    const { read } = changesOf(3);
    const state = { reading: 0, most: 0 };
    const counted: ReadChanges<KycChangeEvent> = async (...page) => {
      state.reading += 1;
      state.most = Math.max(state.most, state.reading);
      await new Promise(setImmediate);
      state.reading -= 1;
      return read(...page);
    };
    const feed = feedOf(600_000);
    const pages = await Promise.all(Array.from({ length: 5 }, () => feed.after(behind, counted)));
    expect(pages.map(({ changes }) => changes.length)).toEqual([2, 2, 2, 2, 2]);
    expect(state.most).toBe(1);
  });

  it("pause after each page", async () => {
    const { state, read } = changesOf(3);
    const admit = async () => createFairSemaphore({ capacity: 1 }).take("a");
    const feed = createFeed({ pollMs: 600_000, ownPageMs: 600_000, admit, closing: never });
    expect((await feed.after(behind, read, never)).changes).toHaveLength(2);
    expect(await now(feed.after(behind, read, never))).toBe(pending);
    expect(state.reads).toEqual(["1-1"]);
  });

  it("do not wait for one that failed or left", async () => {
    const { state, read } = changesOf(3);
    const leaving = new AbortController();
    const admit = (signal: AbortSignal) => {
      signal.throwIfAborted();
      return createFairSemaphore({ capacity: 1 }).take("a");
    };
    const feed = createFeed({ pollMs: 600_000, admit: async (signal) => admit(signal), closing: never });
    const failed = feed.after(behind, () => Promise.reject(new Error("no database")), never);
    const left = feed.after(behind, read, leaving.signal);
    const next = feed.after(behind, read, never);
    leaving.abort(new Error("left"));
    await expect(failed).rejects.toThrow("no database");
    await expect(left).rejects.toThrow("left");
    expect((await next).changes).toHaveLength(2);
    expect(state.reads).toEqual(["1-1"]);
  });
});

it("a caller who leaves before the next event is read leaves no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));

  const ended = new AbortController();
  const page = { changes: [], lastEventId: "1-0", more: false };
  const feed = { after: () => new Promise<never>(() => {}) };
  const events = sendChanges(
    page,
    { feed, signal: ended.signal, end() {} },
    { read: async () => page, isNew: true, toEvent: () => "changed" },
  );
  await events.next();
  // tRPC requests the next event before the caller has read this one.
  const next = events.next();
  ended.abort();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
  await expect(next).rejects.toMatchObject({ name: "AbortError" });
});
