import { type Card, Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { countedSlice, type OpenPage } from "../../src/cards/counted-slice.ts";

const card = (cardId: string, createdAt: string | null) => ({ cardId, createdAt, status: "active" }) as Card;

/** Returns a function that reads these pages, and the list of its calls. */
function pagesOf(...pages: Card[][]) {
  const calls: number[] = [];
  const read = async (page: number): Promise<OpenPage> => {
    calls.push(page);
    return { items: pages[page] ?? [], hasMore: page < pages.length - 1 };
  };
  return { read, calls };
}

const first = { page: 1, pageSize: 20 };

describe("a counted slice", () => {
  // The conformance tests cover the filter and the pages.
  it("sorts newest first, then by card id, and cards without a time last", async () => {
    const { read } = pagesOf(
      [card("b", "2026-01-01T00:00:00.000Z"), card("z", null)],
      [card("a", "2026-01-01T00:00:00Z"), card("c", "2026-02-01T01:00:00+02:00")],
    );
    const { items } = await countedSlice(read, first);
    expect(items.map(({ cardId }) => cardId)).toEqual(["c", "a", "b", "z"]);
  });

  it("counts a card once if it moved to the next page", async () => {
    const { read } = pagesOf([card("a", null)], [card("a", null), card("b", null)]);
    expect(await countedSlice(read, first)).toMatchObject({ total: 2 });
  });

  it("reads each page once, and stops at the last", async () => {
    const { read, calls } = pagesOf([], []);
    expect(await countedSlice(read, first)).toEqual({ items: [], total: 0 });
    expect(calls).toEqual([0, 1]);
  });

  it("fails beyond the limit, even for empty pages, instead of returning a wrong total", async () => {
    const { read, calls } = pagesOf([], [], [card("a", null)]);
    const failed = countedSlice(read, first, 2);
    await expect(failed).rejects.toEqual(new Failure("CARD_LIST_TOO_LONG"));
    expect(calls).toEqual([0, 1]);
    expect(await countedSlice(read, first, 3)).toMatchObject({ total: 1 });
  });
});
