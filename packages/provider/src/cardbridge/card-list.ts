import type { Card, CardListRequest, PageSlice } from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import type { CallResult } from "../http/call-result.ts";
import { dataIn } from "../http/read-json.ts";
import { type CardsPage, cardsPage, userNotFound } from "./wire.ts";

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
 * Maps the result of a list call to a page. A user who is unknown to the provider has an empty page (G18).
 *
 * @throws Failure as `responseOf`
 */
export function toCardSlice(
  result: CallResult,
  request: CardListRequest,
  context: CardContext,
): PageSlice<Card> {
  const response = responseOf(result, context);
  if (response.status === 404 && dataIn(response, userNotFound)) return { items: [], total: 0 };
  const page = bodyOf(response, cardsPage, context);
  const owners = [page, ...page.items].map(({ userReference }) => userReference);
  if (owners.some((owner) => owner !== request.userReference)) throw invalidAnswer("mismatched", context);
  if (!isRequested(page, request)) throw invalidAnswer("wrong-page", context);
  return { items: page.items.map((item) => toCard(item, context.observer)), total: page.total };
}

/** Whether the page has the requested number, size and status, and as many items as its total implies. */
function isRequested({ page, pageSize, total, items }: CardsPage, request: CardListRequest): boolean {
  const expectedItems = Math.min(Math.max(total - (page - 1) * pageSize, 0), pageSize);
  return (
    page === request.page &&
    pageSize === request.pageSize &&
    items.length === expectedItems &&
    items.every(({ status }) => status === (request.status ?? status))
  );
}
