import type {
  Card,
  CardListRequest,
  ConnectedProvider,
  ExecutionListRequest,
  ExecutionPage,
  KycReference,
  Observer,
  OwnedCard,
  PageSlice,
  ProviderReply,
} from "@cardbridge/domain";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import { toCard } from "../cards/card-mapper.ts";
import { type CallResult, isUnsent, reasonOf } from "../http/call-result.ts";
import { dataIn, readJson } from "../http/read-json.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { toWireSubmission } from "./fields.ts";
import { toReasons, toVerdict } from "./verdict.ts";
import {
  type CardsPage,
  cardNotFound,
  cardsPage,
  executionsPage,
  kycState,
  notFound,
  ownedCard,
  refusal,
  userNotFound,
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
        const result = await client.write(kycPath(request.reference), toWireSubmission(request));
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
    verdict: toVerdict({ reference, userReference, ...state }),
  }));
  return { executions, nextCursor };
}

interface Context extends ReplyContext {
  /** The submission and the user that the response must contain. */
  expected: KycReference;
}

/** Maps the result of a PUT. It is `unsent` only if the request was provably never passed to a connection. */
function toSubmitReply(result: CallResult, context: Context): ProviderReply {
  if (isUnsent(result)) return { outcome: "unsent", reason: reasonOf(result) };
  return verdictIn(result, context) ?? failedReply(result, context);
}

/** Maps the result of a GET. It is never `unsent`: an unsent GET does not prove that the PUT was not sent. */
function toFindReply(result: CallResult, context: Context): ProviderReply {
  const missing = result.kind === "response" && result.status === 404 ? dataIn(result, notFound) : undefined;
  if (!missing) return verdictIn(result, context) ?? failedReply(result, context);
  const isExpected = missing.reference === context.expected.reference;
  return isExpected ? { outcome: "not-found" } : invalidReply("mismatched", context);
}

/** The verdict of a review or a refusal, or the reply after an invalid one; undefined for any other response. */
function verdictIn(result: CallResult, context: Context): ProviderReply | undefined {
  if (result.kind !== "response") return undefined;
  if (result.status === 200) {
    const read = readJson(result, kycState);
    if ("reason" in read) return invalidReply(read.reason, context);
    return isExpected(read.data, context) ? toVerdict(read.data) : invalidReply("mismatched", context);
  }
  const refused = result.status === 422 ? dataIn(result, refusal) : undefined;
  if (!refused) return undefined;
  if (!isExpected(refused, context)) return invalidReply("mismatched", context);
  return { outcome: "refused", ...toReasons(refused) };
}

function isExpected(actual: KycReference, { expected }: Context): boolean {
  return actual.reference === expected.reference && actual.userReference === expected.userReference;
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
