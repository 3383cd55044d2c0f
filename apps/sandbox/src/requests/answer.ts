import { ApiError } from "../api-error.ts";
import { canonicalJson } from "../canonical-json.ts";
import { withoutQuery } from "../files/without-query.ts";
import { firstAnswerOf } from "../scenarios/choose.ts";
import { continueTimeline } from "../scenarios/timeline.ts";
import type { Answer } from "../state/entries.ts";
import type { Execution, State } from "../state/state.ts";
import type { AnswerBody } from "../wire.ts";
import { changeAt } from "./state-of.ts";

interface AnswerPath {
  readonly reference: string;
  readonly requestId: string;
  readonly answerReference: string;
}

/**
 * Decides an answer to a document request. It writes nothing: the caller writes the answer if it is new. An answer that
 * has an effect or was refused is returned again for equal content.
 *
 * @param at milliseconds since 1970
 * @throws ApiError not_found, reference_conflict, request_not_open, or bad_request for a type that is not accepted
 */
export function decideAnswer(
  state: State,
  { reference, requestId, answerReference }: AnswerPath,
  { userReference, documents }: AnswerBody,
  at: number,
): { answer: Answer; execution: Execution; isNew: boolean } {
  const execution = state.executions.get(reference);
  const request = execution?.requests.find((one) => one.requestId === requestId);
  if (!request || execution?.request.userReference !== userReference)
    throw new ApiError("not_found", "There is no such request.", { reference });

  const received = request.answers.filter(({ outcome }) => outcome !== "timeout-before-effect");
  const previous = received.find((answer) => answer.answerReference === answerReference);
  if (previous && contentOf(previous) !== contentOf({ documents }))
    throw new ApiError("reference_conflict", "Other content was sent under this answer reference.");
  if (previous) return { answer: previous, execution, isNew: false };
  if (changeAt(execution, request, at).status !== "open")
    throw new ApiError("request_not_open", "The request is answered or closed.");
  if (documents.some(({ type }) => type !== request.documentType))
    throw new ApiError("bad_request", `The request accepts ${request.documentType} only.`);

  const fault = request.answers.length === 0 ? firstAnswerOf(execution.request) : undefined;
  const outcome = fault ?? "accepted";
  const answer = { kind: "answer", reference, requestId, answerReference, at, outcome, documents } as const;
  if (outcome === "refused" || outcome === "timeout-before-effect" || request.approvedAfterMs === null)
    return { answer, execution, isNew: true };
  const timeline = continueTimeline(execution.timeline, at, {
    at: at + request.approvedAfterMs,
    status: "approved",
    cardAccountId: state.accountOf(reference),
  });
  return { answer: { ...answer, timeline }, execution, isNew: true };
}

function contentOf({ documents }: Pick<Answer, "documents">): string {
  return canonicalJson(documents.map(({ type, fileUrl }) => ({ type, fileUrl: withoutQuery(fileUrl) })));
}
