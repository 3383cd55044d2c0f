import type { Book, Execution } from "./book.ts";
import { derivedId, hashOf } from "./derived-id.ts";
import type { Card, CardQuery } from "./wire.ts";

/** A page of a user's cards at a moment (ms), newest first, then by id; total counts what the filter lets through. */
export function listCards(book: Book, query: CardQuery, now: number) {
  const { userReference, status, page, pageSize } = query;
  const issued = book
    .executionsOf(userReference)
    .flatMap((execution) => issuedCard(execution, now) ?? [])
    .filter(({ cardId }) => !book.cards.has(cardId));
  const cards = [...issued, ...book.cardsOf(userReference)]
    .filter((card) => status === undefined || card.status === status)
    .sort((one, other) => createdAt(other) - createdAt(one) || compare(one.cardId, other.cardId));

  const start = (page - 1) * pageSize;
  return { userReference, page, pageSize, total: cards.length, items: cards.slice(start, start + pageSize) };
}

/** The card that an approval with an account issues, once its moment has come (ms). */
function issuedCard({ reference, timeline, request }: Execution, now: number): Card | undefined {
  const approval = timeline.find(({ at, cardAccountId }) => at <= now && cardAccountId !== null);
  if (!approval) return undefined;

  const approvedAt = new Date(approval.at);
  const number = Number.parseInt(hashOf(reference).slice(0, 8), 16);
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

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
