import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** The retention of events and deliveries (gap G32). */
const retentionDays = 30;

export const forgetWebhooks = defineOperation({
  ...forWorker,
  id: "webhooks.forget",
  kind: "mutation",
  summary: "Delete old deliveries",
  description: `Deletes up to \`limit\` events that are older than ${retentionDays} days, with their deliveries.`,
  input: z.object({ limit: z.int().min(1).max(100_000) }),
  output: z.object({ forgotten: z.int() }),
  example: { input: { limit: 1_000 }, output: { forgotten: 0 } },

  async run({ webhookDeliveries }, _call, { limit }) {
    return { data: { forgotten: await webhookDeliveries.forget(retentionDays, limit) } };
  },
});
