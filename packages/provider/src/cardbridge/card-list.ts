import type { Card, CardListRequest, PageSlice } from "@cardbridge/domain";
import { bodyOf, type CardContext, responseOf } from "../cards/card-answer.ts";
import type { CallResult, HttpResponse } from "../http/call-result.ts";
import { parseCardPage } from "./card-page.ts";
import { userNotFound } from "./wire.ts";

/** The query string of a page of cards, as it is signed and sent. */
export function toCardsQuery({ userReference, status, page, pageSize }: CardListRequest): string {
  const query = new URLSearchParams({ userReference });
  if (status !== undefined) query.set("status", status);
  query.set("page", String(page));
  query.set("pageSize", String(pageSize));
  query.set("sort", "-createdAt,cardId");
  return query.toString();
}

/**
 * Maps the result of a list call to a page. A user whom the provider does not know has an empty page (G18).
 *
 * @throws Failure as `responseOf`
 */
export function toCardSlice(
  result: CallResult,
  request: CardListRequest,
  context: CardContext,
): PageSlice<Card> {
  const response = responseOf(result, context);
  if (isUserNotFound(response)) return { items: [], total: 0 };
  return bodyOf(response, (json) => parseCardPage(json, request, context.observer), context);
}

function isUserNotFound({ status, body }: HttpResponse): boolean {
  return status === 404 && body.valid && userNotFound.safeParse(body.json).success;
}
