import type { KycAnswer, KycReference, Observer, ProviderReply } from "@cardbridge/domain";
import { type CallResult, type HttpResponse, isUnsent, type Reason, reasonOf } from "../http/call-result.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import { toVerdict } from "./kyc-mapper.ts";
import { toReasons } from "./kyc-reasons.ts";
import { kycState, notFound, refusal } from "./wire.ts";

interface Context {
  /** The submission and the user that the response has to name. */
  expected: KycReference;
  observer: Observer;
  /** Milliseconds since 1970. */
  now: number;
}

/** Maps the result of a PUT. It is `unsent` only when the request was provably never handed to a connection. */
export function toSubmitAnswer(result: CallResult, context: Context): KycAnswer {
  if (isUnsent(result)) return { outcome: "unsent", reason: reasonOf(result) };
  return toVerdictOrInvalid(result, context, "submitKyc") ?? unknown(result, context);
}

/** Maps the result of a GET. It is never `unsent`: a GET that was not sent does not prove that the PUT was not. */
export function toFindReply(result: CallResult, context: Context): ProviderReply {
  const answer = toVerdictOrInvalid(result, context, "findKyc");
  if (answer) return answer;

  if (result.kind === "response" && result.status === 404 && result.body.valid) {
    const parsed = notFound.safeParse(result.body.json);
    if (parsed.success) {
      const expected = parsed.data.reference === context.expected.reference;
      return expected ? { outcome: "not-found" } : invalid("foreign", context, "findKyc");
    }
  }
  return unknown(result, context);
}

/** A verdict, or `unknown` for an invalid response. Undefined when the response is not about the submission. */
function toVerdictOrInvalid(result: CallResult, context: Context, operation: string): KycAnswer | undefined {
  if (result.kind === "invalid-response") return invalid(result.reason, context, operation);
  if (result.kind !== "response") return undefined;
  if (result.status === 200) return toReview(result, context, operation);
  if (result.status === 422) return toRefusal(result, context, operation);
  return undefined;
}

function toReview({ body }: HttpResponse, context: Context, operation: string): KycAnswer {
  if (!body.valid) return invalid(body.reason, context, operation);
  const parsed = kycState.safeParse(body.json);
  if (!parsed.success) return invalid("wrong-shape", context, operation);
  return isExpected(parsed.data, context) ? toVerdict(parsed.data) : invalid("foreign", context, operation);
}

function toRefusal({ body }: HttpResponse, context: Context, operation: string): KycAnswer | undefined {
  const parsed = refusal.safeParse(body.valid ? body.json : undefined);
  if (!parsed.success) return undefined;
  if (!isExpected(parsed.data, context)) return invalid("foreign", context, operation);
  return { outcome: "refused", ...toReasons(parsed.data) };
}

function isExpected(named: KycReference, { expected }: Context): boolean {
  return named.reference === expected.reference && named.userReference === expected.userReference;
}

function invalid(reason: Reason, { observer }: Context, operation: string): KycAnswer {
  const event = reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable";
  observer.observe(event, { operation, reason });
  return { outcome: "unknown", reason };
}

function unknown(result: CallResult, { now }: Context): KycAnswer {
  const reason = reasonOf(result);
  if (result.kind !== "response") return { outcome: "unknown", reason };
  const { status, retryAfter } = result;
  if (status !== 429 && retryAfter === undefined) return { outcome: "unknown", reason };
  return { outcome: "unknown", reason, retryAfterSeconds: retryAfterSeconds(retryAfter, now) };
}
