import type { Observer, ProviderReply } from "@cardbridge/domain";
import { type CallResult, type Reason, reasonOf } from "../http/call-result.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";

/** The call that a reply about a submission belongs to. */
export interface ReplyContext {
  operation: "submitKyc" | "findKyc" | "answerRequest";
  observer: Observer;
  /** Milliseconds since 1970. */
  now: number;
  /** The outcome of the submission after a call without a usable response. Default: `unknown`. */
  failed?: "unsent" | "unknown";
}

/** A reply that does not show the outcome at the provider. */
export type FailedReply = Extract<ProviderReply, { outcome: "unsent" | "unknown" }>;

/** The reply after a response that violates the contract or is about another submission. */
export function invalidReply(
  reason: Reason,
  { operation, observer, failed = "unknown" }: ReplyContext,
): FailedReply {
  const event = reason === "mismatched" ? "provider_answer_mismatched" : "provider_answer_unreadable";
  observer.observe(event, { operation, reason });
  return { outcome: failed, reason };
}

/** The reply after a call without a usable response. If the outcome is unknown, includes the provider's Retry-After. */
export function failedReply(result: CallResult, context: ReplyContext): FailedReply {
  const reason = reasonOf(result);
  const { failed = "unknown", now } = context;
  if (result.kind === "invalid-response") return invalidReply(reason, context);
  if (result.kind !== "response" || failed === "unsent") return { outcome: failed, reason };
  const { status, retryAfter } = result;
  if (status !== 429 && retryAfter === undefined) return { outcome: failed, reason };
  return { outcome: failed, reason, retryAfterSeconds: retryAfterSeconds(retryAfter, now) };
}
