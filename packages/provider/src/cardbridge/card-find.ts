import type { OwnedCard } from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import type { CallResult } from "../http/call-result.ts";
import { dataIn } from "../http/read-json.ts";
import { cardNotFound, ownedCard } from "./wire.ts";

export function cardPath(cardId: string): string {
  return `/v1/cards/${encodeURIComponent(cardId)}`;
}

/**
 * Maps the result of a call about one card; null if the provider has no such card.
 *
 * @throws Failure as `responseOf`
 */
export function toOwnedCard(result: CallResult, cardId: string, context: CardContext): OwnedCard | null {
  const response = responseOf(result, context);
  const missing = response.status === 404 ? dataIn(response, cardNotFound) : undefined;
  if (missing?.cardId === cardId) return null;
  if (missing) throw invalidAnswer("mismatched", context);
  const card = bodyOf(response, ownedCard, context);
  if (card.cardId !== cardId) throw invalidAnswer("mismatched", context);
  return { userReference: card.userReference, card: toCard(card, context.observer) };
}
