import { type Card, type CardListRequest, Failure, type Observer, type PageSlice } from "@cardbridge/domain";
import { readPage } from "./card-page.ts";
import type { Answer, Outcome, Reason } from "./outcome.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import { userNotFound } from "./wire.ts";

/** The query of a page of cards, as it is signed and sent. */
export function toCardsQuery({ userReference, status, page, pageSize }: CardListRequest): string {
  const query = new URLSearchParams({ userReference });
  if (status !== undefined) query.set("status", status);
  query.set("page", String(page));
  query.set("pageSize", String(pageSize));
  query.set("sort", "-createdAt,cardId");
  return query.toString();
}

/**
 * The page that a call brought. A user whom the provider does not know has none (gap G18).
 *
 * @param now milliseconds since 1970
 * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE (with retryAfterSeconds) or
 * PROVIDER_ANSWER_INVALID (gap G3); the message of its cause is a `Reason`
 */
export function toCardSlice(
  outcome: Outcome,
  request: CardListRequest,
  observer: Observer,
  now: number,
): PageSlice<Card> {
  switch (outcome.kind) {
    case "late":
      throw new Failure("PROVIDER_TIMEOUT", { cause: new Error("deadline") });
    case "broken":
      throw unavailable("breaker-open", now);
    case "lost":
      throw unavailable(outcome.reason, now);
    case "unreadable":
      throw invalid(outcome.reason, observer);
  }

  const { status, body, retryAfter } = outcome;
  if (saysUnavailable(status)) throw unavailable(`status-${status}`, now, retryAfter);
  if (saysUserNotFound(outcome)) return { items: [], total: 0 };
  if (status !== 200) throw invalid(`status-${status}`, observer);

  const page = body.readable ? readPage(body.json, request, observer) : body.reason;
  if (typeof page === "string") throw invalid(page, observer);
  return page;
}

/** 401 and 403 are between the provider and us: nothing that a caller could put right. */
function saysUnavailable(status: number): boolean {
  return status >= 500 || status === 429 || status === 401 || status === 403;
}

function saysUserNotFound({ status, body }: Answer): boolean {
  return status === 404 && body.readable && userNotFound.safeParse(body.json).success;
}

function unavailable(reason: Reason, now: number, retryAfter?: string): Failure {
  return new Failure("PROVIDER_UNAVAILABLE", {
    retryAfterSeconds: retryAfterSeconds(retryAfter, now),
    cause: new Error(reason),
  });
}

function invalid(reason: Reason, observer: Observer): Failure {
  const what = reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable";
  observer.observe(what, { operation: "listCards", reason });
  return new Failure("PROVIDER_ANSWER_INVALID", { cause: new Error(reason) });
}
