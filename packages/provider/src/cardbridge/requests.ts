import {
  type AnswerReply,
  isRecord,
  maxRequests,
  type ProviderAnswer,
  type ProviderDocumentRequest,
  providerDocumentRequest,
} from "@cardbridge/domain";
import { type CallResult, isUnsent, reasonOf } from "../http/call-result.ts";
import { dataIn, readJson } from "../http/read-json.ts";
import { isOwnId } from "../http/texts.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { reasonCodeOf } from "./reasons.ts";
import { answerAccepted, answerRefusal, type WireAnswer } from "./wire.ts";

/**
 * Maps the provider's request for a document; undefined for an invalid one. A restricted or unknown reason becomes null,
 * so no text of the provider is passed on.
 */
export function toRequest(value: unknown): ProviderDocumentRequest | undefined {
  if (!isRecord(value) || !isOwnId(value.requestId)) return undefined;
  const { requestId, reason, dueAt = null, ...rest } = value;
  const mapped = { ...rest, id: requestId, reason: reasonCodeOf(reason) ?? null, dueAt };
  const { data } = providerDocumentRequest.safeParse(mapped);
  return data && { ...data, requestedAt: toUtc(data.requestedAt), dueAt: data.dueAt && toUtc(data.dueAt) };
}

const toUtc = (moment: string) => new Date(moment).toISOString();

/**
 * Maps the requests of a state: at most `maxRequests`, each once. Undefined if the state has none, or no list of them.
 *
 * @param onInvalid is called once if any of them is dropped
 */
export function toRequests(requests: unknown, onInvalid: () => void): ProviderDocumentRequest[] | undefined {
  if (requests === undefined || requests === null) return undefined;
  const list = Array.isArray(requests) ? requests : undefined;
  const valid = (list ?? []).flatMap((value) => toRequest(value) ?? []);
  const once = [...new Map(valid.map((request) => [request.id, request])).values()].slice(0, maxRequests);
  if (once.length !== list?.length) onInvalid();
  return list && once;
}

/** Maps an answer field by field, so that the request never contains any other property of the input. */
export function toWireAnswer({ userReference, documents, files }: ProviderAnswer) {
  return {
    userReference,
    documents: documents.map(({ documentType, fileUrl }) => ({
      type: documentType,
      fileUrl: files.url(fileUrl),
    })),
  };
}

interface Context extends ReplyContext {
  expected: WireAnswer;
}

/**
 * Maps the result of a PUT of an answer. It is `unsent` only if it was provably never passed to a connection. A request
 * that is not open, and other content under our reference, do not show what became of the answer.
 */
export function toAnswerReply(result: CallResult, context: Context): AnswerReply {
  if (isUnsent(result)) return { outcome: "unsent", reason: reasonOf(result) };
  if (result.kind !== "response") return failedReply(result, context);
  if (result.status === 200) {
    const read = readJson(result, answerAccepted);
    if ("reason" in read) return invalidReply(read.reason, context);
    const { answerReference } = read.data;
    const isOurs = isExpected(read.data, context) && answerReference === context.expected.answerReference;
    return isOurs ? { outcome: "accepted" } : invalidReply("mismatched", context);
  }
  const refused = result.status === 422 ? dataIn(result, answerRefusal) : undefined;
  if (!refused) return failedReply(result, context);
  if (!isExpected(refused, context)) return invalidReply("mismatched", context);
  const reasons: unknown[] = Array.isArray(refused.reasons) ? refused.reasons : [];
  const [reason = "OTHER"] = reasons.flatMap((one) => (isRecord(one) && reasonCodeOf(one.code)) || []);
  return { outcome: "refused", reason };
}

function isExpected(actual: Omit<WireAnswer, "answerReference">, { expected }: Context): boolean {
  return (
    actual.reference === expected.reference &&
    actual.userReference === expected.userReference &&
    actual.requestId === expected.requestId
  );
}
