import * as z from "zod";
import { derivedId } from "./derived-id.ts";
import type { Turn } from "./scenarios.ts";

export const stepSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  status: z.string(),
  cardAccountId: z.string().nullable(),
  revision: z.int(),
});

export type Step = z.infer<typeof stepSchema>;

/** What will have been decided about a submission, and when: written once, at its reception (ms). */
export function timelineOf(reference: string, review: readonly Turn[], receivedAt: number): Step[] {
  return review.map(({ afterMs, status, opensAccount }, index) => ({
    at: receivedAt + afterMs,
    status,
    cardAccountId: opensAccount ? derivedId("acct", reference) : null,
    revision: index + 1,
  }));
}

/** The last step that has come at a moment (ms); the first one should the clock have gone backwards. */
export function stepAt(timeline: readonly Step[], now: number): Step {
  const step = timeline.findLast(({ at }) => at <= now) ?? timeline[0];
  if (step === undefined) throw new Error("A timeline has at least one step.");
  return step;
}
