import type { DueDelivery } from "@cardbridge/domain";
import { deliverWebhook, type Ports } from "@cardbridge/operations";
import { type Deliveries, startDeliveries } from "./deliveries.ts";
import { run } from "./run.ts";

/** Delivers webhooks by passes of the worker. Several processes can share one database. */
export function deliverWebhooks(ports: Ports): Deliveries {
  const { webhookDeliveries } = ports;
  return startDeliveries<DueDelivery>({
    async lease(lane, limit) {
      const limits = { prompt: 0, slow: 0, [lane]: limit };
      return (await run(ports, "webhooks.leaseDue", () => webhookDeliveries.leaseDue(limits))) ?? [];
    },
    async deliver(due, signal) {
      await run(ports, "webhooks.deliver", () => deliverWebhook(ports, due, signal));
    },
  });
}
