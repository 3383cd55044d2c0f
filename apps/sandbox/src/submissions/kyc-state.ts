import { requestsAt } from "../requests/state-of.ts";
import { whyOf } from "../scenarios/choose.ts";
import { namesOf } from "../scenarios/names.ts";
import { stepAt, type TimelineStep } from "../scenarios/timeline.ts";
import type { Execution } from "../state/state.ts";

/**
 * The state of a submission at a time, in the format of the contract.
 *
 * @param now milliseconds since 1970
 */
export function kycStateAt(execution: Execution, now: number) {
  return kycStateOf(execution, stepAt(execution.timeline, now), now);
}

/**
 * The state of a submission after a step of its timeline, in the format of the contract.
 *
 * @param now the time of its requests, in milliseconds since 1970
 */
export function kycStateOf(execution: Execution, step: TimelineStep, now = step.at) {
  const { status, cardAccountId, revision } = step;
  return {
    ...namesOf(execution.reference, execution.request),
    status,
    cardAccountId,
    revision,
    updatedAt: new Date(step.at).toISOString(),
    ...whyRejected(execution, step),
    ...requestsAt(execution, now),
  };
}

/** Why a submission is rejected: because of an act, or because of its tags. Empty for another status. */
export function whyRejected(
  { request }: Execution,
  { status, reasons }: TimelineStep,
): ReturnType<typeof whyOf> {
  if (status !== "rejected") return {};
  if (reasons === undefined) return whyOf(request);
  return reasons.length > 0 ? { reasons } : {};
}
