import type {
  Card,
  CardListRequest,
  ConnectedProvider,
  Observer,
  OwnedCard,
  PageSlice,
  ProviderIds,
} from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import { countedSlice, type OpenPage } from "../cards/counted-slice.ts";
import { dataIn } from "../http/read-json.ts";
import { retrieve } from "./cardholders.ts";
import {
  type AirwallexClient,
  type AirwallexClientOptions,
  createAirwallexClient,
  startDeadline,
} from "./client.ts";
import { respond } from "./respond.ts";
import { findAsked } from "./rfis.ts";
import { cardholderStep, submit } from "./submit.ts";
import { card, cardPage, errorAnswer, type WireCard, withColon } from "./wire.ts";

const cardsPath = "/api/v1/issuing/cards";

const pageSize = 50;

export interface AirwallexProviderOptions extends AirwallexClientOptions {
  observer: Observer;
  /** Finds the cardholder of a user, and the user of a cardholder. */
  ids: ProviderIds;
}

/**
 * Creates the adapter for Airwallex Issuing. `close` waits for active calls, which end by their deadlines.
 * @throws TypeError for an invalid base URL, client id or API key
 */
export function createAirwallexProvider(options: AirwallexProviderOptions): ConnectedProvider {
  const { observer, ids, now = Date.now, deadlines } = options;
  const client = createAirwallexClient({ ...options, now });
  const shared = { client, ids, observer, now };
  const deadlineMs = deadlines?.kycMs ?? 10_000;

  return {
    listCards: (request, signal) => listCards(request, { ...shared, signal }),
    findCard: (cardId, signal) => findCard(cardId, { ...shared, signal }),
    submitKyc: (request) => submit(request, { ...shared, deadlineMs }),

    /** Queries by the stored cardholder id. Without one, a send searches for a cardholder before it creates another. */
    async findKyc({ steps }) {
      const remaining = startDeadline(deadlineMs);
      const kept = await steps.done(cardholderStep);
      if (kept?.id === undefined) return { outcome: "not-found" };
      const context = { operation: "findKyc", observer, now: now() } as const;
      return retrieve(kept.id, { client, steps, context, remaining });
    },

    answerRequest(answer) {
      const context = { operation: "answerRequest", observer, now: now() } as const;
      return respond(answer, { client, context, remaining: startDeadline(deadlineMs) });
    },

    findAsked: (id) => findAsked(id, { client, context: contextOf("findAsked", shared) }),

    state: () => client.state(),
    close: () => client.close(),
  };
}

interface Options {
  client: Pick<AirwallexClient, "read">;
  ids: ProviderIds;
  observer: Observer;
  now(): number;
  signal?: AbortSignal | undefined;
}

/**
 * Lists the cards of the user's latest cardholder; an empty list if there is no cardholder. Airwallex's pages have no
 * order and no total.
 * @throws Failure as `CardProvider.listCards`
 */
async function listCards(request: CardListRequest, options: Options): Promise<PageSlice<Card>> {
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
async function findCard(cardId: string, options: Options): Promise<OwnedCard | null> {
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

/**
 * Maps a card. Lists have no form factor, name on the card, expiry or currency, so these fields are null. The card
 * account is the cardholder, as in the result of a submission.
 */
function toOwnCard(wire: WireCard, observer: Observer): Card {
  return toCard(
    {
      cardId: wire.card_id,
      status: wire.card_status,
      cardAccountId: wire.cardholder_id,
      network: wire.brand,
      last4: last4Of(wire.card_number),
      createdAt: typeof wire.created_at === "string" ? withColon(wire.created_at) : undefined,
    },
    observer,
  );
}

/** Card numbers are masked, such as ************4242. A number without a mask is returned whole, and then rejected. */
function last4Of(number: unknown): unknown {
  return typeof number === "string" && /^[^0-9]+[0-9]{4}$/.test(number) ? number.slice(-4) : number;
}
