import type { DeliveryLane, DueDelivery } from "@cardbridge/domain";
import { deliverWebhook, type Ports } from "@cardbridge/operations";
import { run } from "../worker/run.ts";
import { type Deliveries, startDeliveries } from "./deliveries.ts";

/**
 * Delivers webhooks by passes of the worker. Several processes can share one database.
 *
 * @param ports those of each lane, so that no lane waits for the other's use of the database
 */
export function deliverWebhooks(ports: Record<DeliveryLane, Ports>): Deliveries {
  return startDeliveries<DueDelivery>({
    async lease(lane, limit) {
      const { webhookDeliveries } = ports[lane];
      const limits = { prompt: 0, slow: 0, [lane]: limit };
      return (await run(ports[lane], "webhooks.leaseDue", () => webhookDeliveries.leaseDue(limits))) ?? [];
    },
    async deliver(due, signal) {
      const own = ports[due.lane];
      await run(own, "webhooks.deliver", () => deliverWebhook(own, due, signal));
    },
  });
}
