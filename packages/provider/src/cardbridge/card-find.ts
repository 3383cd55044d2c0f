import type { Observer, OwnedCard } from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import type { CallResult, HttpResponse, Reason } from "../http/call-result.ts";
import { cardNotFound, ownedCard } from "./wire.ts";

export function cardPath(cardId: string): string {
  return `/v1/cards/${encodeURIComponent(cardId)}`;
}

/**
 * Maps the result of a call about one card; null if the provider does not know it.
 *
 * @throws Failure as `responseOf`
 */
export function toOwnedCard(result: CallResult, cardId: string, context: CardContext): OwnedCard | null {
  const response = responseOf(result, context);
  const missing = missingCard(response);
  if (missing === cardId) return null;
  if (missing !== undefined) throw invalidAnswer("foreign", context);
  return bodyOf(response, (json) => parseCard(json, cardId, context.observer), context);
}

/** The id in the documented response for an unknown card. */
function missingCard({ status, body }: HttpResponse): string | undefined {
  if (status !== 404 || !body.valid) return undefined;
  return cardNotFound.safeParse(body.json).data?.cardId;
}

function parseCard(json: unknown, cardId: string, observer: Observer): OwnedCard | Reason {
  const { data } = ownedCard.safeParse(json);
  if (!data) return "wrong-shape";
  if (data.cardId !== cardId) return "foreign";
  return { userReference: data.userReference, card: toCard(data, observer) };
}
