import type { Book } from "./book.ts";
import { contentOf } from "./canonical.ts";
import type { Attempt } from "./entries.ts";
import { scenarioOf } from "./scenarios.ts";
import { timelineOf } from "./timeline.ts";
import type { Submission } from "./wire.ts";

/**
 * Decides what an attempt to submit comes to, at a moment (ms). It only decides: the answer has to
 * wait until the attempt is written. A reference that was executed or refused is bound to its content.
 */
export function decideAttempt(book: Book, reference: string, request: Submission, at: number): Attempt {
  const attempt = { kind: "attempt", reference, at } as const;

  const taken = book.executions.get(reference) ?? book.refusals.get(reference);
  if (taken && contentOf(taken.request) !== contentOf(request)) return { ...attempt, outcome: "conflict" };
  if (book.executions.has(reference)) return { ...attempt, outcome: "repeated" };
  if (book.refusals.has(reference)) return { ...attempt, outcome: "refused" };

  const scenario = scenarioOf(request.applicant.email);
  if (scenario.review === "refused") return { ...attempt, outcome: "refused", refusal: { request } };

  const spoiled = book.attempted(reference) ? undefined : scenario.firstAttempt;
  const outcome = spoiled?.outcome ?? "executed";
  if (spoiled?.executes === false) return { ...attempt, outcome };

  const timeline = timelineOf(reference, scenario.review, at);
  return { ...attempt, outcome, execution: { scenario: scenario.id, timeline, request } };
}
