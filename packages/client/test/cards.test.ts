import { expect, it } from "vitest";
import type { Card } from "../src/index.ts";
import { testClient } from "./support/test-client.ts";
import { json } from "./support/test-fetch.ts";

const pageOf = (page: number, totalPages: number, ...ids: string[]) =>
  json({
    items: ids.map((cardId) => ({ cardId, status: "frozen-2031" })),
    page,
    pageSize: 2,
    total: 5,
    totalPages,
  });

async function all(cards: AsyncIterable<Card>): Promise<Card[]> {
  const list: Card[] = [];
  for await (const card of cards) list.push(card);
  return list;
}

it("lists all cards page by page without duplicates, even if a card is issued between two pages", async () => {
  const pages = [pageOf(1, 2, "e", "d"), pageOf(2, 3, "d", "c"), pageOf(3, 3, "b", "a")];
  const { client, requests } = testClient(pages);
  const cards = await all(client.cards.listAll({ memberId: "bob", status: "frozen-2031" }));
  expect(cards.map(({ cardId }) => cardId)).toEqual(["e", "d", "c", "b", "a"]);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(
    [1, 2, 3].map((page) => `?pageSize=100&memberId=bob&status=frozen-2031&page=${page}`),
  );
});

it("requests a page only when it is needed", async () => {
  const { client, requests } = testClient([pageOf(1, 2, "b", "a")]);
  for await (const _ of client.cards.listAll({ memberId: "bob", pageSize: 2 })) break;
  expect(requests).toHaveLength(1);
});

it("lists no cards for a user without cards", async () => {
  const { client } = testClient([pageOf(1, 0)]);
  expect(await all(client.cards.listAll({ email: "carol+x@example.com" }))).toEqual([]);
});
