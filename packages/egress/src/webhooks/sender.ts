import type { WebhookSender } from "@cardbridge/domain";
import type { GuardedClient } from "../guarded-client.ts";
import { toOutcome } from "./outcome.ts";
import { signWebhook } from "./signature.ts";

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
