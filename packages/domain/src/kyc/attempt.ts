import type { KycAnswer } from "./provider-reply.ts";
import type { KycRecord } from "./record.ts";
import type { KycSubmission } from "./submission.ts";

/**
 * How an attempt begins. `send` only while it is certain that nothing reached the provider, or after it said
 * repeatedly that it knows nothing; otherwise `ask` by our reference first.
 */
export type Step = "send" | "ask";

/**
 * One attempt to learn what became of a submission. It owns the record while its lease lasts. One that asks
 * needs no personal data, and is given none.
 */
export type Attempt = {
  record: KycRecord;
  /** How often in a row the provider said that it does not know the reference. */
  notFound: number;
} & ({ step: "send"; submission: KycSubmission } | { step: "ask" });

/** What the next attempt does, and when. */
export interface RetryPlan {
  step: Step;
  notFound: number;
  delayMs: number;
}

/** So often has "not found" to be said before a submission is sent again. */
const certainlyNotFound = 2;

/** Bounds of the wait between attempts, in milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

export const defaultBackoff: Backoff = { firstMs: 1_000, maxMs: 30_000 };

/**
 * Plans the next attempt after an answer that settled nothing: ask before anything is sent again, wait twice
 * as long each time, never less than the provider asked for, and not all at the same moment. Shorter waits are
 * enough while the provider answers.
 *
 * @param random from 0 to 1
 */
export function planRetry(
  { record, step, notFound }: Attempt,
  answer: Exclude<KycAnswer, { outcome: "answered" | "refused" }> | { outcome: "not-found" },
  { firstMs, maxMs }: Backoff = defaultBackoff,
  random: number = Math.random(),
): RetryPlan {
  // A provider that says "not found" is well: what is waited for is only a call that may still be on its way.
  const doublings = answer.outcome === "not-found" ? notFound + 1 : record.attempt - 1;
  const growing = Math.min(firstMs * 2 ** Math.min(doublings, 30), maxMs);
  const wait = growing * (0.5 + random / 2);
  const asked = "retryAfterSeconds" in answer ? (answer.retryAfterSeconds ?? 0) * 1_000 : 0;
  const delayMs = Math.round(Math.max(wait, asked * (1 + random / 10)));

  switch (answer.outcome) {
    case "unsent":
      return { step, notFound, delayMs };
    case "unknown":
      return { step: "ask", notFound: step === "send" ? 0 : notFound, delayMs };
    case "not-found": {
      const times = notFound + 1;
      return { step: times >= certainlyNotFound ? "send" : "ask", notFound: times, delayMs };
    }
  }
}
