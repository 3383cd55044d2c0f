import type { State } from "../state/state.ts";
import type { Card, CardQuery } from "../wire.ts";
import { issuedCard } from "./issued.ts";

/**
 * One page of a user's cards, newest first, then by id. `total` counts the cards that pass the filter.
 *
 * @param now milliseconds since 1970
 */
export function listCards(state: State, query: CardQuery, now: number) {
  const { userReference, status, page, pageSize } = query;
  const issued = state
    .executionsOf(userReference)
    .flatMap((execution) => issuedCard(execution, now) ?? [])
    .filter(({ cardId }) => !state.cards.has(cardId));
  const cards = [...issued, ...state.cardsOf(userReference)]
    .filter((card) => status === undefined || card.status === status)
    .sort((a, b) => createdAt(b) - createdAt(a) || compare(a.cardId, b.cardId));

  const start = (page - 1) * pageSize;
  return { userReference, page, pageSize, total: cards.length, items: cards.slice(start, start + pageSize) };
}

function createdAt(card: Card): number {
  return card.createdAt ? Date.parse(card.createdAt) : 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
