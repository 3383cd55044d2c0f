import { issuedCardId, sha256Hex } from "../derived-id.ts";
import type { Execution } from "../state/state.ts";
import type { Card } from "../wire.ts";

/** The card that an approval with a card account issues. Undefined before the approval. */
export function issuedCard({ reference, timeline, request }: Execution, now: number): Card | undefined {
  const approval = timeline.find(({ at, cardAccountId }) => at <= now && cardAccountId !== null);
  if (!approval) return undefined;

  const approvedAt = new Date(approval.at);
  const number = Number.parseInt(sha256Hex(reference).slice(0, 8), 16);
  return {
    userReference: request.userReference,
    cardId: issuedCardId(reference),
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
