import {
  isCardNumber,
  type KycReference,
  type Observer,
  type OrderedVerdict,
  type ProviderReply,
} from "@cardbridge/domain";
import { type CallResult, isUnsent, reasonOf } from "../http/call-result.ts";
import { dataIn, readJson } from "../http/read-json.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { toReasons } from "./reasons.ts";
import { toRequests } from "./requests.ts";
import { kycState, notFound, refusal, type WireKycState } from "./wire.ts";

interface Reporter {
  operation: string;
  observer: Observer;
}

/**
 * Maps the state of a submission to a verdict. A card account that is a card number becomes null. Only a rejection has
 * reasons. Invalid document requests are dropped.
 *
 * @param reporter reports dropped requests; an event has none
 */
export function toVerdict(
  { status, cardAccountId, revision, requests, ...why }: WireKycState,
  reporter?: Reporter,
): OrderedVerdict {
  const account = cardAccountId && !isCardNumber(cardAccountId) ? cardAccountId : null;
  const reasons = status === "rejected" ? toReasons(why) : {};
  const asked = toRequests(requests, () =>
    reporter?.observer.observe("provider_answer_unreadable", {
      operation: reporter.operation,
      reason: "wrong-shape",
    }),
  );
  return {
    outcome: "answered",
    subStatus: status,
    cardAccountId: account,
    revision,
    ...(asked && { requests: asked }),
    ...reasons,
  };
}

interface Context extends ReplyContext {
  /** The submission and the user that the response must contain. */
  expected: KycReference;
}

/** Maps the result of a PUT. It is `unsent` only if the request was provably never passed to a connection. */
export function toSubmitReply(result: CallResult, context: Context): ProviderReply {
  if (isUnsent(result)) return { outcome: "unsent", reason: reasonOf(result) };
  return verdictIn(result, context) ?? failedReply(result, context);
}

/** Maps the result of a GET. It is never `unsent`: an unsent GET does not prove that the PUT was not sent. */
export function toFindReply(result: CallResult, context: Context): ProviderReply {
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
    return isExpected(read.data, context)
      ? toVerdict(read.data, context)
      : invalidReply("mismatched", context);
  }
  const refused = result.status === 422 ? dataIn(result, refusal) : undefined;
  if (!refused) return undefined;
  if (!isExpected(refused, context)) return invalidReply("mismatched", context);
  return { outcome: "refused", ...toReasons(refused) };
}

function isExpected(actual: KycReference, { expected }: Context): boolean {
  return actual.reference === expected.reference && actual.userReference === expected.userReference;
}
