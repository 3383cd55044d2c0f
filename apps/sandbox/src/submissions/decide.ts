import { hasOnceTag, scenarioOf } from "../scenarios/choose.ts";
import { stepAt, timelineOf } from "../scenarios/timeline.ts";
import type { Attempt } from "../state/entries.ts";
import type { State } from "../state/state.ts";
import type { Submission } from "../wire.ts";
import { contentOf } from "./content.ts";

/**
 * Decides the outcome of one PUT. It writes nothing: the caller writes the attempt before it responds. After a
 * reference executed or was refused, other content under that reference is a conflict.
 *
 * @param at milliseconds since 1970
 */
export function decideAttempt(state: State, reference: string, request: Submission, at: number): Attempt {
  const attempt = { kind: "attempt", reference, at } as const;

  const previous = state.executions.get(reference) ?? state.refusals.get(reference);
  if (previous && contentOf(previous.request) !== contentOf(request))
    return { ...attempt, outcome: "conflict" };
  if (state.executions.has(reference)) return { ...attempt, outcome: "repeated" };
  if (state.refusals.has(reference)) return { ...attempt, outcome: "refused" };

  if (request.renews !== undefined && !isApproved(state, request.renews, request.userReference, at)) {
    const message = "The user has no approved submission under the reference that this one renews.";
    return { ...attempt, outcome: "refused", refusal: { request, message } };
  }

  const scenario = scenarioOf(request);
  const isRefusedOnce = hasOnceTag(request) && !state.wasRefused(request.userReference);
  if (isRefusedOnce || scenario.review === "refused")
    return { ...attempt, outcome: "refused", refusal: { request } };

  const fault = state.wasAttempted(reference) ? undefined : scenario.firstAttempt;
  const outcome = fault?.outcome ?? "executed";
  if (fault?.executes === false) return { ...attempt, outcome };

  const isFirst = state.executionsOf(request.userReference).length === 0;
  const review = isFirst ? scenario.review : (scenario.laterReview ?? scenario.review);
  const timeline = timelineOf(state.accountOf(request.renews ?? reference), review, at);
  const asked = scenario.asks && { asked: scenario.asks };
  return { ...attempt, outcome, execution: { scenario: scenario.id, timeline, request, ...asked } };
}

function isApproved({ executions }: State, reference: string, userReference: string, at: number): boolean {
  const execution = executions.get(reference);
  return (
    execution?.request.userReference === userReference && stepAt(execution.timeline, at).status === "approved"
  );
}
