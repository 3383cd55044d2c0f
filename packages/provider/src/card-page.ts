import type { Card, CardListRequest, Observer, PageSlice } from "@cardbridge/domain";
import { toCard } from "./card-mapper.ts";
import type { Reason } from "./outcome.ts";
import { cardsPage } from "./wire.ts";

/** The page that was asked for, of the user who was asked for, or the reason why it is not that. */
export function readPage(
  json: unknown,
  request: CardListRequest,
  observer: Observer,
): PageSlice<Card> | Reason {
  const parsed = cardsPage.safeParse(json);
  if (!parsed.success) return "wrong-shape";
  const { page, pageSize, total, items, userReference } = parsed.data;

  const owners = [userReference, ...items.map((item) => item.userReference)];
  if (owners.some((owner) => owner !== request.userReference)) return "foreign";

  const asked = page === request.page && pageSize === request.pageSize;
  const filtered = items.every((item) => (request.status ?? item.status) === item.status);
  const due = Math.min(Math.max(total - (page - 1) * pageSize, 0), pageSize);
  if (!asked || !filtered || items.length !== due) return "wrong-page";

  return { items: items.map((item) => toCard(item, observer)), total };
}
