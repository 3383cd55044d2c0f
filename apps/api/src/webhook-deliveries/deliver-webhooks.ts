import type { DueDelivery } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/operations";
import { run } from "../worker/run.ts";
import { type Deliveries, startDeliveries } from "./deliveries.ts";

/** Delivers webhooks by the operations of the worker. Several processes can share one database. */
export function deliverWebhooks({ webhooks }: Operations, ports: Ports): Deliveries {
  return startDeliveries<DueDelivery>({
    async lease(lane, limit) {
      const limits = { prompt: 0, slow: 0, [lane]: limit };
      return (await run(ports, webhooks.leaseDue, limits))?.due ?? [];
    },
    deliver: async (due, signal) => void (await run(ports, webhooks.deliver, due, signal)),
  });
}
