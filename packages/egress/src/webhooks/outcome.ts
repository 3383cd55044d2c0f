import type { WebhookOutcome } from "@cardbridge/domain";
import type { FailedReason, GuardedResult } from "../guarded-client.ts";
import { parseRetryAfter } from "../http/retry-after.ts";
import { excerptOf } from "./excerpt.ts";

type UndeliveredReason = Extract<WebhookOutcome, { kind: "undelivered" }>["reason"];

const reasons: Record<FailedReason, UndeliveredReason> = {
  "url-refused": "address-refused",
  "address-refused": "address-refused",
  "dns-failed": "name-not-found",
  "connection-refused": "connection-refused",
  "connect-failed": "connection-refused",
  "connect-timeout": "deadline",
  deadline: "deadline",
  "tls-failed": "tls-failed",
  "connection-lost": "connection-lost",
  truncated: "connection-lost",
  "not-http": "answer-invalid",
  "too-large": "answer-invalid",
  encoded: "answer-invalid",
  aborted: "stopped",
  "client-closed": "stopped",
};

/**
 * What an attempt came to. The status counts also if the body is larger than what is read; an answer that ends too early
 * is none.
 *
 * @param now milliseconds since 1970
 */
export function toOutcome(result: GuardedResult, now: number): WebhookOutcome {
  if (result.kind === "failed") return { kind: "undelivered", reason: reasons[result.reason] };
  const { status, bytes, broken } = result;
  if (broken === "truncated" || broken === "not-http")
    return { kind: "undelivered", reason: reasons[broken] };
  const retryAfterSeconds = parseRetryAfter(result.retryAfter, now);
  return {
    ...{ kind: "answered", status, excerpt: excerptOf(bytes) },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.max(retryAfterSeconds, 0) }),
  };
}
