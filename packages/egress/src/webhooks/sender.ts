import type { WebhookOutcome, WebhookSender } from "@cardbridge/domain";
import type { GuardedClient } from "../guarded-client.ts";
import type { ExchangeResult, FailureReason } from "../http/exchange.ts";
import { parseRetryAfter } from "../http/retry-after.ts";
import { signWebhook } from "./signature.ts";

const reasons: Record<FailureReason, UndeliveredReason> = {
  "url-refused": "address-unusable",
  "address-refused": "address-unusable",
  "dns-failed": "address-unusable",
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

const maxExcerptBytes = 1_024;

const utf8 = new TextDecoder("utf-8");

interface WebhookSenderOptions {
  client: Pick<GuardedClient, "request">;
  /** The version of the service, for the User-Agent header. */
  version: string;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Creates the sender of webhooks (Standard Webhooks 1.0.0). Each attempt is signed again with the same id. */
export function createWebhookSender({
  client,
  version,
  now = Date.now,
}: WebhookSenderOptions): WebhookSender {
  return {
    async send({ webhookId: id, url, secrets, payload }, signal) {
      const startedAt = performance.now();
      const body = JSON.stringify(payload);
      const timestamp = Math.floor(now() / 1_000);
      const headers = {
        "content-type": "application/json",
        "user-agent": `cardbridge-webhooks/${version}`,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signWebhook({ id, timestamp, body }, secrets),
      };
      const result = await client.request({ method: "POST", url, headers, body, signal });
      return {
        outcome: toOutcome(result, now()),
        milliseconds: Math.round(performance.now() - startedAt),
      };
    },
  };
}

type UndeliveredReason = Extract<WebhookOutcome, { kind: "undelivered" }>["reason"];

/**
 * Maps an exchange to the outcome of an attempt. The status is valid even if the body exceeds the read limit. A
 * truncated response counts as no response.
 *
 * @param now milliseconds since 1970
 */
function toOutcome(result: ExchangeResult, now: number): WebhookOutcome {
  if (result.kind !== "response") return { kind: "undelivered", reason: reasons[result.reason] };
  const { status, bytes, broken } = result;
  if (broken === "truncated" || broken === "not-http") {
    return { kind: "undelivered", reason: reasons[broken] };
  }
  const retryAfterSeconds = parseRetryAfter(result.retryAfter, now);
  return {
    kind: "answered",
    status,
    excerpt: excerptOf(bytes),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.max(retryAfterSeconds, 0) }),
  };
}

/** The first bytes of a response as text, for the endpoint's platform. Replaces control characters. */
function excerptOf(bytes: Uint8Array): string {
  return utf8.decode(bytes.subarray(0, maxExcerptBytes)).replace(/[^\P{Cc}\n\t]/gu, "\u{fffd}");
}
