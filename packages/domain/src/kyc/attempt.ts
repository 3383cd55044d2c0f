import type { ProviderReply } from "./provider-reply.ts";
import type { KycRecord } from "./record.ts";
import type { KycSubmission } from "./submission.ts";

/**
 * The first call of an attempt. `send` sends the submission; this is safe only if the provider cannot have received it,
 * or after repeated not-found replies. `ask` queries the outcome by our reference.
 */
type Step = "send" | "ask";

/**
 * One attempt to resolve a submission. It owns the record until its lease expires. An attempt that
 * queries the provider has no personal data.
 */
export type Attempt = {
  record: KycRecord;
  /** The number of consecutive not-found replies. */
  notFound: number;
  /** The submission's trace, as a W3C traceparent; null if it was not traced. */
  traceparent?: string | null;
} & (
  | {
      step: "send";
      submission: KycSubmission;
      /** The keyed hash that the provider gets (`ProviderKycRequest`). */
      fingerprint: string;
      /** Until when it may be sent, by this process's `performance.now()`: then the lease covers the whole call. */
      sendBefore: number;
    }
  | { step: "ask" }
);

/** How an attempt went. It is stored with the outcome, and the database's clock gives the time of its start. */
export interface AttemptReport {
  step: Step;
  outcome: ProviderReply["outcome"];
  /** Why the provider did not answer, as a code; null if it answered. */
  reason: string | null;
  milliseconds: number;
  /** `submission`, `worker`, or the actor of a manual attempt. */
  by: string;
}

/** The step and the delay of the next attempt. */
export interface RetryPlan {
  step: Step;
  notFound: number;
  delayMs: number;
  /** No further attempt: an unresolved record needs attention now. */
  needsAttention?: true;
}

/** The consecutive not-found replies that are required before a submission is sent again. */
export const requiredNotFound = 2;

/** The bounds of the delay between attempts, in milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

const defaultBackoff: Backoff = { firstMs: 1_000, maxMs: 30_000 };

/**
 * Plans the next attempt after a reply without a verdict. The delay doubles each time, with jitter, and is never
 * shorter than the provider's Retry-After. After an unknown outcome, the next attempt queries the provider first.
 *
 * @param random from 0 to 1
 */
export function planRetry(
  { record, step, notFound }: Attempt,
  answer: Exclude<ProviderReply, { outcome: "answered" | "refused" }>,
  { firstMs, maxMs }: Backoff = defaultBackoff,
  random: number = Math.random(),
): RetryPlan {
  // A provider that replies not-found is available. The delay only covers a call that may still be in progress.
  const doublings = answer.outcome === "not-found" ? notFound + 1 : record.attempt - 1;
  const exponential = Math.min(firstMs * 2 ** Math.min(doublings, 30), maxMs);
  const jittered = exponential * (0.5 + random / 2);
  const retryAfterMs = "retryAfterSeconds" in answer ? (answer.retryAfterSeconds ?? 0) * 1_000 : 0;
  const delayMs = Math.round(Math.max(jittered, retryAfterMs * (1 + random / 10)));

  switch (answer.outcome) {
    case "unsent":
      return { step, notFound, delayMs };
    case "unknown":
      return {
        step: "ask",
        notFound: step === "send" ? 0 : notFound,
        delayMs,
        ...(answer.needsAttention && { needsAttention: true }),
      };
    case "not-found": {
      const times = notFound + 1;
      return { step: times >= requiredNotFound ? "send" : "ask", notFound: times, delayMs };
    }
  }
}
