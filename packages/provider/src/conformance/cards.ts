import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { ConformanceSetup, IssuedCard } from "./setup.ts";

/** Seven cards in the expected order. Two pairs have the same creation time. */
function sevenCards({ active, locked, other }: ConformanceSetup["cardStatuses"]): IssuedCard[] {
  const suffix = randomUUID();
  const card = (name: string, createdAt: string, status = active) => ({
    cardId: `card-${name}-${suffix}`,
    status,
    createdAt: `2026-01-${createdAt}.000Z`,
  });
  return [
    card("d", "07T12:00:00"),
    card("a", "06T12:00:00", locked),
    card("b", "06T12:00:00"),
    card("g", "05T12:00:00", other),
    card("c", "04T23:59:59", locked),
    card("e", "04T00:00:00"),
    card("f", "04T00:00:00", locked),
  ];
}

/** Tests of `listCards` and `findCard`. */
export function describeCards(setup: () => ConformanceSetup): void {
  async function issueSeven() {
    const userReference = `usr_${randomUUID()}`;
    const cards = sevenCards(setup().cardStatuses);
    await setup().issueCards(userReference, cards.toReversed());
    return { userReference, cards, ids: cards.map(({ cardId }) => cardId) };
  }

  it("returns an empty list for an unknown user", async () => {
    const request = { userReference: `usr_${randomUUID()}`, page: 1, pageSize: 20 };
    expect(await setup().provider.listCards(request)).toEqual({ items: [], total: 0 });
  });

  it("sorts newest first, then by card id, across pages", async () => {
    const { userReference, ids, cards } = await issueSeven();
    const { provider } = setup();
    const whole = await provider.listCards({ userReference, page: 1, pageSize: 100 });
    expect(whole.items.map(({ cardId }) => cardId)).toEqual(ids);
    expect(whole.items.map(({ createdAt }) => createdAt)).toEqual(cards.map(({ createdAt }) => createdAt));

    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => provider.listCards({ userReference, page, pageSize: 3 })),
    );
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1, 0]);
    expect(pages.flatMap(({ items }) => items.map(({ cardId }) => cardId))).toEqual(ids);
  });

  it("applies the filter before total and pages", async () => {
    const { userReference, cards } = await issueSeven();
    const status = setup().cardStatuses.locked;
    const locked = cards.filter((card) => card.status === status).map(({ cardId }) => cardId);
    const request = { userReference, status, pageSize: 2 };
    const first = await setup().provider.listCards({ ...request, page: 1 });
    const second = await setup().provider.listCards({ ...request, page: 2 });
    expect([first.total, second.total]).toEqual([3, 3]);
    expect([...first.items, ...second.items].map(({ cardId }) => cardId)).toEqual(locked);
  });

  it("filters by an unknown status and by a status that no card has", async () => {
    const { userReference } = await issueSeven();
    const request = { userReference, page: 1, pageSize: 20 };
    const { other } = setup().cardStatuses;
    const raw = await setup().provider.listCards({ ...request, status: other });
    expect(raw).toMatchObject({ total: 1, items: [{ status: other }] });
    const none = await setup().provider.listCards({ ...request, status: "no & such=status" });
    expect(none).toEqual({ items: [], total: 0 });
  });

  it("returns only the user's own cards", async () => {
    const ours = await issueSeven();
    const theirs = await issueSeven();
    const request = { userReference: ours.userReference, page: 1, pageSize: 100 };
    const { items, total } = await setup().provider.listCards(request);
    expect(total).toBe(7);
    for (const { cardId } of items) expect(theirs.ids).not.toContain(cardId);
  });

  it("finds a card by its id, with its owner and the fields of the list", async () => {
    const ours = await issueSeven();
    const theirs = await issueSeven();
    const { provider } = setup();
    const request = { userReference: ours.userReference, page: 1, pageSize: 100 };
    for (const card of (await provider.listCards(request)).items) {
      expect(await provider.findCard(card.cardId)).toEqual({ userReference: ours.userReference, card });
    }
    const found = await provider.findCard(theirs.ids[0] ?? "");
    expect(found).toMatchObject({ userReference: theirs.userReference, card: { cardId: theirs.ids[0] } });
  });

  it("finds a card under an id with every allowed character", async () => {
    const userReference = `usr_${randomUUID()}`;
    const issued = {
      cardId: `_$~&+,:=@-.${randomUUID()}`,
      status: setup().cardStatuses.active,
      createdAt: "2026-01-01T00:00:00.000Z",
    };
    await setup().issueCards(userReference, [issued]);
    expect(await setup().provider.findCard(issued.cardId)).toMatchObject({ userReference, card: issued });
  });

  it("finds no card under an unknown id", async () => {
    expect(await setup().provider.findCard(`card-${randomUUID()}`)).toBeNull();
  });

  it.each(["listCards", "findCard"] as const)(
    "%s rejects with the reason when the caller aborts",
    async (name) => {
      const reason = new Error("aborted by the caller");
      const signal = AbortSignal.abort(reason);
      const { provider } = setup();
      const request = { userReference: `usr_${randomUUID()}`, page: 1, pageSize: 20 };
      const calls = {
        listCards: () => provider.listCards(request, signal),
        findCard: () => provider.findCard(`card-${randomUUID()}`, signal),
      };
      await expect(calls[name]()).rejects.toBe(reason);
    },
  );
}
