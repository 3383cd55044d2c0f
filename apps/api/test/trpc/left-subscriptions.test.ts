import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { sendChanges } from "../../src/trpc/changes.ts";

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
  await nextTurn();
  await nextTurn();
  expect(unhandled).toEqual([]);
  await expect(next).rejects.toMatchObject({ name: "AbortError" });
});
