import { deliverWebhook, type Ports } from "@cardbridge/service";
import { type Deliveries, startDeliveries } from "./deliveries.ts";
import { run } from "./run.ts";

/** Delivers webhooks by passes of the worker. Several processes can share one database. */
export function deliverWebhooks(ports: Ports): Deliveries {
  const { webhookDeliveries } = ports;
  return startDeliveries({
    lease: async (slots) =>
      (await run(ports, "webhooks.leaseDue", () => webhookDeliveries.leaseDue(slots))) ?? [],
    findInactive: async (endpointIds) =>
      (await run(ports, "webhooks.findInactive", () => webhookDeliveries.findInactive(endpointIds))) ?? [],
    async deliver(due, signal) {
      await run(ports, "webhooks.deliver", () => deliverWebhook(ports, due, signal));
    },
  });
}
