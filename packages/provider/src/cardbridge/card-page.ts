import type { Card, CardListRequest, Observer, PageSlice } from "@cardbridge/domain";
import { toCard } from "../cards/card-mapper.ts";
import type { Reason } from "../http/call-result.ts";
import { cardsPage } from "./wire.ts";

/** Parses a page of cards. Returns a reason when it is not the requested page of the requested user. */
export function parseCardPage(
  json: unknown,
  request: CardListRequest,
  observer: Observer,
): PageSlice<Card> | Reason {
  const parsed = cardsPage.safeParse(json);
  if (!parsed.success) return "wrong-shape";
  const { page, pageSize, total, items, userReference } = parsed.data;

  const owners = [userReference, ...items.map((item) => item.userReference)];
  if (owners.some((owner) => owner !== request.userReference)) return "foreign";

  const isRequestedPage = page === request.page && pageSize === request.pageSize;
  const isFiltered = items.every((item) => (request.status ?? item.status) === item.status);
  const expectedItems = Math.min(Math.max(total - (page - 1) * pageSize, 0), pageSize);
  if (!isRequestedPage || !isFiltered || items.length !== expectedItems) return "wrong-page";

  return { items: items.map((item) => toCard(item, observer)), total };
}
