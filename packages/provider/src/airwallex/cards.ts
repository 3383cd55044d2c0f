import type { Card, CardListRequest, Observer, OwnedCard, PageSlice, ProviderIds } from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { dataIn } from "../http/read-json.ts";
import { countedSlice, type OpenPage } from "../pages/counted-slice.ts";
import { toOwnCard } from "./card-mapper.ts";
import type { AirwallexClient } from "./client.ts";
import { cardholderStep } from "./submit.ts";
import { card, cardPage, errorAnswer, type WireCard } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "read">;
  ids: ProviderIds;
  observer: Observer;
  now(): number;
  signal?: AbortSignal | undefined;
}

const cardsPath = "/api/v1/issuing/cards";
const pageSize = 50;

/**
 * Lists the cards of the user's latest cardholder; an empty list if there is no cardholder. Airwallex's pages have no
 * order and no total.
 * @throws Failure as `CardProvider.listCards`
 */
export async function listCards(request: CardListRequest, options: Options): Promise<PageSlice<Card>> {
  options.signal?.throwIfAborted();
  const cardholderId = await options.ids.idOf(cardholderStep, request.userReference);
  if (cardholderId === null) return { items: [], total: 0 };
  return countedSlice((page) => readPage(cardholderId, page, options), request);
}

async function readPage(cardholderId: string, page: number, options: Options): Promise<OpenPage> {
  const { client, signal } = options;
  const query = new URLSearchParams({
    cardholder_id: cardholderId,
    page_num: String(page),
    page_size: String(pageSize),
  });
  const context = contextOf("listCards", options);
  const result = await client.read("cards", `${cardsPath}?${query}`, { caller: signal });
  const { items, has_more } = bodyOf(responseOf(result, context), cardPage, context);
  if (items.some((item) => !isOf(item, cardholderId))) throw invalidAnswer("mismatched", context);
  return { items: items.map((item) => toOwnCard(item, options.observer)), hasMore: has_more };
}

function isOf({ cardholder_id, additional_cardholder_ids = [] }: WireCard, cardholderId: string): boolean {
  return cardholder_id === cardholderId || additional_cardholder_ids.includes(cardholderId);
}

/**
 * Finds a card by its id; null if Airwallex has no such card, or its cardholder is not a user of this service.
 * @throws Failure as `CardProvider.findCard`
 */
export async function findCard(cardId: string, options: Options): Promise<OwnedCard | null> {
  const { client, ids, observer, signal } = options;
  signal?.throwIfAborted();
  const context = contextOf("findCard", options);
  const result = await client.read("cards", `${cardsPath}/${encodeURIComponent(cardId)}`, {
    caller: signal,
  });
  const response = responseOf(result, context);
  // A 404 without Airwallex's error body may come from a proxy.
  if (response.status === 404 && dataIn(response, errorAnswer)) return null;
  const data = bodyOf(response, card, context);
  if (data.card_id !== cardId) throw invalidAnswer("mismatched", context);
  const userReference =
    data.cardholder_id === undefined ? null : await ids.userOf(cardholderStep, data.cardholder_id);
  return userReference === null ? null : { userReference, card: toOwnCard(data, observer) };
}

function contextOf(operation: CardContext["operation"], { observer, now }: Options): CardContext {
  return { operation, observer, now: now(), any2xx: true };
}
