import { type Card, Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { countedSlice, type OpenPage } from "../../src/pages/counted-slice.ts";

const card = (cardId: string, createdAt: string | null, status = "active"): Card => ({
  cardId,
  createdAt,
  status,
  memberId: null,
  cardAccountId: null,
  type: null,
  network: null,
  last4: null,
  expiryMonth: null,
  expiryYear: null,
  nameOnCard: null,
  currency: null,
});

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
const idsOf = ({ items }: { items: Card[] }) => items.map(({ cardId }) => cardId);

describe("a counted slice", () => {
  const unordered = [
    [card("b", "2026-01-01T00:00:00.000Z"), card("z", null, "locked")],
    [card("a", "2026-01-01T00:00:00Z", "locked"), card("c", "2026-02-01T01:00:00+02:00")],
  ];

  it("sorts newest first, then by card id, and cards without a time last", async () => {
    const slice = await countedSlice(pagesOf(...unordered).read, first);
    expect(idsOf(slice)).toEqual(["c", "a", "b", "z"]);
    expect(slice.total).toBe(4);
  });

  it("filters before it counts and selects the page", async () => {
    const { read } = pagesOf(...unordered);
    const one = { status: "locked", pageSize: 1 };
    expect(idsOf(await countedSlice(read, { ...one, page: 1 }))).toEqual(["a"]);
    expect(await countedSlice(read, { ...one, page: 2 })).toMatchObject({
      total: 2,
      items: [{ cardId: "z" }],
    });
    expect(await countedSlice(read, { ...one, page: 3 })).toEqual({ total: 2, items: [] });
  });

  it("counts a card once if it moved to the next page", async () => {
    const moved = card("a", null);
    expect(await countedSlice(pagesOf([moved], [moved, card("b", null)]).read, first)).toMatchObject({
      total: 2,
    });
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
