import { Failure, type Observer, ReasonError } from "@cardbridge/domain";
import type { HttpResponse } from "@cardbridge/egress";
import type * as z from "zod";
import { type CallResult, isAny2xx, type Reason, reasonOf } from "../http/call-result.ts";
import { readJson } from "../http/read-json.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";

/** The call that a response about cards, a list of executions, or an act belongs to. */
export interface CardContext {
  operation: "listCards" | "findCard" | "listExecutions" | "findAsked" | "act";
  observer: Observer;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether the provider responds with any 2xx. Otherwise only the body of a 200 is read. */
  any2xx?: boolean;
}

/**
 * The response of a call about cards.
 *
 * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE (with retryAfterSeconds) or PROVIDER_ANSWER_INVALID.
 * Its cause is a ReasonError with a `Reason`.
 */
export function responseOf(result: CallResult, context: CardContext): HttpResponse {
  switch (result.kind) {
    case "timeout":
      throw new Failure("PROVIDER_TIMEOUT", { cause: new ReasonError(result.reason) });
    case "circuit-open":
    case "connection-failed":
      throw unavailable(result.reason, context);
    case "invalid-response":
      throw invalidAnswer(result.reason, context);
  }
  if (isUnavailable(result.status)) throw unavailable(reasonOf(result), context, result.retryAfter);
  return result;
}

/**
 * Reads the body of a successful response in the given shape.
 * @throws Failure PROVIDER_ANSWER_INVALID for any other response
 */
export function bodyOf<S extends z.ZodType>(
  response: HttpResponse,
  shape: S,
  context: CardContext,
): z.output<S> {
  const { status } = response;
  const isSuccess = status === 200 || (context.any2xx && isAny2xx(status));
  if (!isSuccess) throw invalidAnswer(`status-${status}`, context);
  const read = readJson(response, shape);
  if ("reason" in read) throw invalidAnswer(read.reason, context);
  return read.data;
}

export function invalidAnswer(reason: Reason, { operation, observer }: CardContext): Failure {
  const event = reason === "mismatched" ? "provider_answer_mismatched" : "provider_answer_unreadable";
  observer.observe(event, { operation, reason });
  return new Failure("PROVIDER_ANSWER_INVALID", { cause: new ReasonError(reason) });
}

/** 401 and 403 concern the service's own credentials, which the caller cannot correct. */
function isUnavailable(status: number): boolean {
  return status >= 500 || status === 429 || status === 401 || status === 403;
}

function unavailable(reason: Reason, { now }: CardContext, retryAfter?: string): Failure {
  return new Failure("PROVIDER_UNAVAILABLE", {
    retryAfterSeconds: retryAfterSeconds(retryAfter, now),
    cause: new ReasonError(reason),
  });
}
