import { randomBytes } from "node:crypto";
import { Failure } from "@cardbridge/domain";
import type { Ports } from "@cardbridge/operations";

type WebhookPorts = Pick<
  Ports,
  "webhookEndpoints" | "webhookDeliveries" | "webhookSender" | "mintWebhookSecret"
>;

const missing = () => Promise.reject(new Failure("SERVICE_UNAVAILABLE"));

/** Stands for the webhooks' store and sender, which follow. */
export function webhookPorts(): WebhookPorts {
  return {
    mintWebhookSecret: () => `whsec_${randomBytes(32).toString("base64")}`,
    webhookEndpoints: {
      create: missing,
      list: async () => [],
      find: async () => null,
      update: async () => null,
      delete: async () => false,
      rotateSecret: async () => null,
      test: async () => null,
      deliveries: async () => null,
      delivery: async () => null,
      redeliver: async () => null,
      redeliverFailed: async () => null,
      ofRecord: async () => [],
    },
    webhookDeliveries: {
      leaseDue: async () => [],
      load: async () => null,
      record: async () => ({ disabled: false }),
      release: async () => {},
      cardUpdated: async () => false,
      count: async () => ({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 }),
      forget: async () => 0,
    },
    webhookSender: {
      send: async () => ({ outcome: { kind: "undelivered", reason: "stopped" }, milliseconds: 0 }),
    },
  };
}
