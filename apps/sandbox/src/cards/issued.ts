import { issuedCardId, sha256Hex } from "../derived-id.ts";
import type { Execution } from "../state/state.ts";
import type { Card, Submission } from "../wire.ts";

/** The card that an approval with a card account issues. Undefined before the approval, and for a renewal. */
export function issuedCard({ reference, timeline, request }: Execution, now: number): Card | undefined {
  const approval = timeline.find(({ at, cardAccountId }) => at <= now && cardAccountId !== null);
  if (!approval || request.renews !== undefined) return undefined;
  const cardId = issuedCardId(reference);
  return newCard({
    request,
    cardId,
    cardAccountId: approval.cardAccountId,
    seed: reference,
    at: approval.at,
  });
}

interface CardOptions {
  request: Submission;
  cardId: string;
  cardAccountId: string | null;
  /** The text that the card's number and its expiry derive from. */
  seed: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** An active card of the applicant. */
export function newCard({ request, cardId, cardAccountId, seed, at }: CardOptions): Card {
  const issuedAt = new Date(at);
  const number = Number.parseInt(sha256Hex(seed).slice(0, 8), 16);
  return {
    userReference: request.userReference,
    cardId,
    status: "active",
    memberId: null,
    cardAccountId,
    type: "virtual",
    network: "visa",
    last4: String(number % 10_000).padStart(4, "0"),
    expiryMonth: 1 + (number % 12),
    expiryYear: issuedAt.getUTCFullYear() + 3 + (number % 3),
    nameOnCard: request.applicant.fullName.toUpperCase(),
    currency: "USD",
    createdAt: issuedAt.toISOString(),
  };
}
