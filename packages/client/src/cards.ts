import type { CallOptions } from "./options.ts";
import { type Send, segment } from "./request.ts";
import type { Card, CardId, CardListQuery, CardPage } from "./types.ts";

/** The operations on cards. */
export interface Cards {
  /** Lists one page of a user's cards, newest first. */
  list(query: CardListQuery, options?: CallOptions): Promise<CardPage>;
  /** Lists all cards of a user, newest first, page by page. */
  listAll(query: CardListQuery & { page?: undefined }, options?: CallOptions): AsyncIterableIterator<Card>;
  /** Reads one card. */
  get(card: CardId, options?: CallOptions): Promise<Card>;
}

export function createCards(send: Send): Cards {
  const list: Cards["list"] = (query, options) =>
    send({ method: "GET", path: "/cards/list", query }, options);
  return {
    list,
    async *listAll(query, options) {
      // A card that is issued between two pages shifts the list, so the next page may repeat a card.
      const seen = new Set<string>();
      for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
        const { items, ...rest } = await list({ pageSize: 100, ...query, page } as CardListQuery, options);
        totalPages = rest.totalPages;
        for (const card of items) {
          if (!seen.has(card.cardId)) yield card;
          seen.add(card.cardId);
        }
      }
    },
    get: async ({ cardId }, options) =>
      send({ method: "GET", path: `/cards/${segment("cardId", cardId)}` }, options),
  };
}
