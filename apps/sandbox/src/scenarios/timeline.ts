import * as z from "zod";
import type { ReviewStep } from "./table.ts";

export const timelineStepSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  status: z.string(),
  cardAccountId: z.string().nullable(),
  revision: z.int(),
  /** The reasons that an act gave. Absent: those of the tags. */
  reasons: z.array(z.unknown()).optional(),
});

export type TimelineStep = z.infer<typeof timelineStepSchema>;

/**
 * All decisions about a submission, with their times. It is computed once, when the submission is received.
 *
 * @param accountId the account that an approval opens
 * @param receivedAt milliseconds since 1970
 */
export function timelineOf(
  accountId: string,
  review: readonly ReviewStep[],
  receivedAt: number,
): TimelineStep[] {
  return review.map(({ afterMs, status, opensAccount }, index) => ({
    at: receivedAt + afterMs,
    status,
    cardAccountId: opensAccount ? accountId : null,
    revision: index + 1,
  }));
}

/**
 * A timeline after an act or an answer: the steps that are due, and then this one, with the next revision. Steps that
 * were scheduled for later are dropped.
 *
 * @param now milliseconds since 1970
 */
export function continueTimeline(
  timeline: readonly TimelineStep[],
  now: number,
  next?: Omit<TimelineStep, "revision">,
): TimelineStep[] {
  const current = stepAt(timeline, now);
  const past = timeline.slice(0, timeline.indexOf(current) + 1);
  return next ? [...past, { ...next, revision: current.revision + 1 }] : past;
}

/** Whether a decision ends the review, and with it the document requests. */
export function isFinal({ status }: TimelineStep): boolean {
  return status === "approved" || status === "rejected";
}

/**
 * The latest step that is due. If the clock went backwards and none is due, it is the first step.
 *
 * @param now milliseconds since 1970
 */
export function stepAt(timeline: readonly TimelineStep[], now: number): TimelineStep {
  const step = timeline.findLast(({ at }) => at <= now) ?? timeline[0];
  if (step === undefined) throw new Error("A timeline has at least one step.");
  return step;
}
