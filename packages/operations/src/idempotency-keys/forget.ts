import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** How long an idempotency key is kept: the service promises 30 days (gap G20). */
const keptDays = 35;

export const forgetIdempotencyKeys = defineOperation({
  ...forWorker,
  id: "idempotencyKeys.forget",
  kind: "mutation",
  summary: "Delete old idempotency keys",
  description: `Deletes idempotency keys that are older than ${keptDays} days.`,
  input: z.object({}),
  output: z.object({}),
  example: { input: {}, output: {} },

  async run({ kycRecords }) {
    await kycRecords.forgetKeys(keptDays);
    return { data: {} };
  },
});
