import { type Card, type CardListRequest, Failure, type Observer, type PageSlice } from "@cardbridge/domain";
import type { CallResult, HttpResponse, Reason } from "../http/call-result.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
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
 * Maps the result of a list call to a page. A user whom the provider does not know has an empty page (gap G18).
 *
 * @param now milliseconds since 1970
 * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE (with retryAfterSeconds) or PROVIDER_ANSWER_INVALID (gap G3).
 * The message of its cause is a `Reason`.
 */
export function toCardSlice(
  result: CallResult,
  request: CardListRequest,
  observer: Observer,
  now: number,
): PageSlice<Card> {
  switch (result.kind) {
    case "timeout":
      throw new Failure("PROVIDER_TIMEOUT", { cause: new Error("deadline") });
    case "circuit-open":
      throw unavailable("breaker-open", now);
    case "connection-failed":
      throw unavailable(result.reason, now);
    case "invalid-response":
      throw invalid(result.reason, observer);
  }

  const { status, body, retryAfter } = result;
  if (isUnavailable(status)) throw unavailable(`status-${status}`, now, retryAfter);
  if (isUserNotFound(result)) return { items: [], total: 0 };
  if (status !== 200) throw invalid(`status-${status}`, observer);

  const page = body.valid ? parseCardPage(body.json, request, observer) : body.reason;
  if (typeof page === "string") throw invalid(page, observer);
  return page;
}

/** 401 and 403 concern our own credentials. The caller cannot correct them. */
function isUnavailable(status: number): boolean {
  return status >= 500 || status === 429 || status === 401 || status === 403;
}

function isUserNotFound({ status, body }: HttpResponse): boolean {
  return status === 404 && body.valid && userNotFound.safeParse(body.json).success;
}

function unavailable(reason: Reason, now: number, retryAfter?: string): Failure {
  return new Failure("PROVIDER_UNAVAILABLE", {
    retryAfterSeconds: retryAfterSeconds(retryAfter, now),
    cause: new Error(reason),
  });
}

function invalid(reason: Reason, observer: Observer): Failure {
  const event = reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable";
  observer.observe(event, { operation: "listCards", reason });
  return new Failure("PROVIDER_ANSWER_INVALID", { cause: new Error(reason) });
}
