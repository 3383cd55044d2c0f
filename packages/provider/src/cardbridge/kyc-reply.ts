import type { KycReference, ProviderReply } from "@cardbridge/domain";
import { type CallResult, isUnsent, reasonOf } from "../http/call-result.ts";
import { dataIn, readJson } from "../http/read-json.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { toVerdict } from "./kyc-mapper.ts";
import { toReasons } from "./kyc-reasons.ts";
import { kycState, notFound, refusal } from "./wire.ts";

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
