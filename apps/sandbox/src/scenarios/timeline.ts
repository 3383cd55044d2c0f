import * as z from "zod";
import { derivedId } from "../derived-id.ts";
import type { ReviewStep } from "./table.ts";

export const timelineStepSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  status: z.string(),
  cardAccountId: z.string().nullable(),
  revision: z.int(),
});

export type TimelineStep = z.infer<typeof timelineStepSchema>;

/**
 * All decisions about a submission, with their times. It is computed once, when the submission is received.
 *
 * @param receivedAt milliseconds since 1970
 */
export function timelineOf(
  reference: string,
  review: readonly ReviewStep[],
  receivedAt: number,
): TimelineStep[] {
  return review.map(({ afterMs, status, opensAccount }, index) => ({
    at: receivedAt + afterMs,
    status,
    cardAccountId: opensAccount ? derivedId("acct", reference) : null,
    revision: index + 1,
  }));
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
