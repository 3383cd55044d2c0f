import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { dueDelivery } from "./due-delivery.ts";

const limit = z.int().min(0).max(1_000);

/** Leases due deliveries of each lane. */
export const leaseDueWebhooks = defineOperation({
  ...forWorker,
  id: "webhooks.leaseDue",
  kind: "mutation",
  summary: "Lease due deliveries",
  description: "Leases up to this many due deliveries of each lane. Each lease is one attempt.",
  input: z.object({ prompt: limit, slow: limit }),
  output: z.object({ due: z.array(dueDelivery) }),
  example: { input: { prompt: 8, slow: 8 }, output: { due: [] } },

  async run({ webhookDeliveries }, _call, limits) {
    return { data: { due: await webhookDeliveries.leaseDue(limits) } };
  },
});
