import { derivedId, sha256Hex } from "../derived-id.ts";
import type { Execution, State } from "../state/state.ts";
import type { Card, CardQuery } from "../wire.ts";

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

/** The card that an approval with a card account issues. Undefined before the approval. */
function issuedCard({ reference, timeline, request }: Execution, now: number): Card | undefined {
  const approval = timeline.find(({ at, cardAccountId }) => at <= now && cardAccountId !== null);
  if (!approval) return undefined;

  const approvedAt = new Date(approval.at);
  const number = Number.parseInt(sha256Hex(reference).slice(0, 8), 16);
  return {
    userReference: request.userReference,
    cardId: derivedId("card", reference),
    status: "active",
    memberId: null,
    cardAccountId: approval.cardAccountId,
    type: "virtual",
    network: "visa",
    last4: String(number % 10_000).padStart(4, "0"),
    expiryMonth: 1 + (number % 12),
    expiryYear: approvedAt.getUTCFullYear() + 3 + (number % 3),
    nameOnCard: request.applicant.fullName.toUpperCase(),
    currency: "USD",
    createdAt: approvedAt.toISOString(),
  };
}

function createdAt(card: Card): number {
  return card.createdAt ? Date.parse(card.createdAt) : 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
