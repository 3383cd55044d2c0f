import type { WebhookSender } from "@cardbridge/domain";

/** Sends nothing: nothing leases deliveries yet. */
export const webhookSender: WebhookSender = {
  send: async () => ({ outcome: { kind: "undelivered", reason: "stopped" }, milliseconds: 0 }),
};
