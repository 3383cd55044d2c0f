import type {
  Card,
  CardListRequest,
  ConnectedProvider,
  ExecutionListRequest,
  ExecutionPage,
  Observer,
  OwnedCard,
  PageSlice,
} from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import type { CallResult } from "../http/call-result.ts";
import { dataIn } from "../http/read-json.ts";
import { toActResult, toWireAct } from "./act.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { toWireSubmission } from "./fields.ts";
import { toAnswerReply, toWireAnswer } from "./requests.ts";
import { toFindReply, toSubmitReply, toVerdict } from "./verdict.ts";
import {
  type CardsPage,
  cardNotFound,
  cardsPage,
  executionsPage,
  ownedCard,
  userNotFound,
  type WireAnswer,
} from "./wire.ts";

export interface CardProviderOptions extends ClientOptions {
  observer: Observer;
}

/**
 * Creates the adapter for the card provider (docs/contribute/provider-contract.md).
 *
 * `listCards` and `findCard` also reject with the caller's abort reason. `close` waits for active calls, which end by
 * their deadlines.
 * @throws TypeError for an invalid base URL or client id
 */
export function createCardProvider(options: CardProviderOptions): ConnectedProvider {
  const { observer, now = Date.now } = options;
  const client = createClient({ ...options, now });

  return {
    async listCards(request, signal) {
      const result = await client.read("cards", "/v1/cards", toCardsQuery(request), signal);
      return toCardSlice(result, request, { operation: "listCards", observer, now: now() });
    },

    async findCard(cardId, signal) {
      const result = await client.read("cards", cardPath(cardId), "", signal);
      return toOwnedCard(result, cardId, { operation: "findCard", observer, now: now() });
    },

    async submitKyc(request) {
      try {
        const result = await client.write("PUT", kycPath(request.reference), toWireSubmission(request));
        return toSubmitReply(result, { operation: "submitKyc", expected: request, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async findKyc(query) {
      try {
        const result = await client.read("kyc", kycPath(query.reference), "");
        return toFindReply(result, { operation: "findKyc", expected: query, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async answerRequest(answer) {
      const { reference, userReference, requestId, answerReference } = answer;
      const expected = { reference, userReference, requestId, answerReference };
      const body = toWireAnswer(answer);
      try {
        const result = await client.write("PUT", answerPath(expected), body);
        return toAnswerReply(result, { operation: "answerRequest", expected, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async act(act) {
      const result = await client.write("POST", "/v1/acts", toWireAct(act));
      return toActResult(result, act, { operation: "act", observer, now: now() });
    },

    async listExecutions(request) {
      const result = await client.read("kyc", "/v1/kyc", toExecutionsQuery(request));
      return toExecutionPage(result, { operation: "listExecutions", observer, now: now() });
    },

    state: () => client.state(),
    close: () => client.close(),
  };
}

function kycPath(reference: string): string {
  return `/v1/kyc/${encodeURIComponent(reference)}`;
}

function answerPath({ reference, requestId, answerReference }: WireAnswer): string {
  const [request, answer] = [requestId, answerReference].map(encodeURIComponent);
  return `${kycPath(reference)}/requests/${request}/answers/${answer}`;
}

function cardPath(cardId: string): string {
  return `/v1/cards/${encodeURIComponent(cardId)}`;
}

/**
 * Maps the result of a call about one card; null if the provider has no such card.
 *
 * @throws Failure as `responseOf`
 */
function toOwnedCard(result: CallResult, cardId: string, context: CardContext): OwnedCard | null {
  const response = responseOf(result, context);
  const missing = response.status === 404 ? dataIn(response, cardNotFound) : undefined;
  if (missing?.cardId === cardId) return null;
  if (missing) throw invalidAnswer("mismatched", context);
  const card = bodyOf(response, ownedCard, context);
  if (card.cardId !== cardId) throw invalidAnswer("mismatched", context);
  return { userReference: card.userReference, card: toCard(card, context.observer) };
}

/** The query string of a page of executions, as it is signed and sent. */
function toExecutionsQuery({ from, cursor }: ExecutionListRequest): string {
  const query = new URLSearchParams({ from: from.toISOString() });
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.toString();
}

/**
 * Maps the result of a list call to a page. Null if the provider does not have the call, which is optional.
 *
 * @throws Failure as `responseOf`
 */
function toExecutionPage(result: CallResult, context: CardContext): ExecutionPage | null {
  const response = responseOf(result, context);
  if (response.status === 404 || response.status === 405) return null;
  const { items, nextCursor = null } = bodyOf(response, executionsPage, context);
  const executions = items.map(({ reference, userReference, fingerprint = null, executedAt, ...state }) => ({
    reference,
    userReference,
    fingerprint,
    executedAt: new Date(executedAt),
    verdict: toVerdict({ reference, userReference, ...state }, context),
  }));
  return { executions, nextCursor };
}

/** The query string of a page of cards, as it is signed and sent. */
function toCardsQuery({ userReference, status, page, pageSize }: CardListRequest): string {
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
function toCardSlice(result: CallResult, request: CardListRequest, context: CardContext): PageSlice<Card> {
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
