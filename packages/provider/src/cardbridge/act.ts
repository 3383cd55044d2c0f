import { type ActResult, Failure, type ProviderAct, ReasonError } from "@cardbridge/domain";
import type { HttpResponse } from "@cardbridge/egress";
import { bodyOf, type CardContext, invalidAnswer, responseOf } from "../cards/card-answer.ts";
import type { CallResult } from "../http/call-result.ts";
import { dataIn } from "../http/read-json.ts";
import { actError, actResult } from "./wire.ts";

/** Maps an act field by field, so that the request never contains any other property of the input. */
export function toWireAct(act: ProviderAct) {
  const { key, userReference, reference } = act;
  return {
    key,
    act: act.act,
    userReference,
    reference,
    ...("reasonCode" in act && { reasonCode: act.reasonCode }),
    ...("documentType" in act && { documentType: act.documentType }),
    ...("cardId" in act && { cardId: act.cardId }),
  };
}

/**
 * Maps the result of an act.
 *
 * @throws Failure SANDBOX_ACT_CONFLICT, IDEMPOTENCY_KEY_REUSED, CARD_NOT_FOUND or USER_NOT_FOUND; ROUTE_NOT_FOUND if the
 * provider has no acts; otherwise as `responseOf`
 */
export function toActResult(result: CallResult, { key, act }: ProviderAct, context: CardContext): ActResult {
  const response = responseOf(result, context);
  if (response.status !== 200)
    throw failureOf(response) ?? invalidAnswer(`status-${response.status}`, context);
  const done = bodyOf(response, actResult, context);
  if (done.key !== key || done.act !== act) throw invalidAnswer("mismatched", context);
  return { cardId: done.cardId ?? null };
}

const conflicts = {
  "no-submission": "The user has no submission that the card provider executed.",
  "not-possible": "The present state of the submission or the card does not allow this act.",
} as const;

function failureOf(response: HttpResponse): Failure | undefined {
  const { status } = response;
  const { reason, error } = dataIn(response, actError) ?? {};
  const cause = new ReasonError(`status-${status}`);
  if (status === 404 && error?.code === "user_not_found") return new Failure("USER_NOT_FOUND", { cause });
  if (status === 404 && error?.code === "card_not_found") return new Failure("CARD_NOT_FOUND", { cause });
  if (status === 404 || status === 405) return new Failure("ROUTE_NOT_FOUND", { cause });
  if (status !== 409) return undefined;
  if (error?.code === "key_conflict") return new Failure("IDEMPOTENCY_KEY_REUSED", { cause });
  if (error?.code !== "act_conflict") return undefined;
  const rule = reason === "no-submission" ? reason : "not-possible";
  const violations = [{ path: [], rule, message: conflicts[rule] }];
  return new Failure("SANDBOX_ACT_CONFLICT", { violations, cause });
}
