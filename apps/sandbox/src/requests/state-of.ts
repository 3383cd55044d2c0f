import { isFinal } from "../scenarios/timeline.ts";
import type { DocumentRequest, Execution } from "../state/state.ts";

const dayMs = 86_400_000;

/** A change of a request, in milliseconds since 1970. A scheduled decision closes a request in the future. */
interface Change {
  readonly at: number;
  readonly status: "open" | "answered" | "closed";
  readonly revision: number;
}

/** All changes of a request, oldest first: asked, answered, closed by the final decision. */
export function changesOf(
  { timeline }: Execution,
  { requestedAt, answers }: DocumentRequest,
): [Change, ...Change[]] {
  const answer = answers.find(({ outcome }) => outcome === "accepted" || outcome === "timeout-after-effect");
  const decision = timeline.find((step) => step.at >= requestedAt && isFinal(step));
  return [
    { at: requestedAt, status: "open", revision: 1 },
    ...(answer ? [{ at: answer.at, status: "answered", revision: 2 } as const] : []),
    ...(decision ? [{ at: decision.at, status: "closed", revision: answer ? 3 : 2 } as const] : []),
  ];
}

/** The latest change of a request that is due, or the first. */
export function changeAt(execution: Execution, request: DocumentRequest, now: number): Change {
  const [asked, ...later] = changesOf(execution, request);
  return later.findLast(({ at }) => at <= now) ?? asked;
}

/** A request after a change, in the format of the contract. */
export function requestStateOf(request: DocumentRequest, { status, revision }: Change) {
  const { requestId, documentType, reason, requestedAt } = request;
  return {
    requestId,
    documentType,
    accepts: [documentType],
    reason,
    requestedAt: new Date(requestedAt).toISOString(),
    dueAt: new Date(requestedAt + 14 * dayMs).toISOString(),
    status,
    revision,
  };
}

/** The requests of a submission at a time, in the format of the contract. Absent without any. */
export function requestsAt(execution: Execution, now: number) {
  const requests = execution.requests
    .filter(({ requestedAt }) => requestedAt <= now)
    .map((request) => requestStateOf(request, changeAt(execution, request, now)));
  return requests.length > 0 ? { requests } : {};
}
