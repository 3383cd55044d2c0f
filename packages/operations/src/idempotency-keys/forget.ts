import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** The retention of idempotency keys. The service guarantees 30 days (gap G20). */
const retentionDays = 35;

export const forgetIdempotencyKeys = defineOperation({
  ...forWorker,
  id: "idempotencyKeys.forget",
  kind: "mutation",
  summary: "Delete old idempotency keys",
  description: `Deletes idempotency keys that are older than ${retentionDays} days.`,
  input: z.object({}),
  output: z.object({}),
  example: { input: {}, output: {} },

  async run({ kycRecords }) {
    await kycRecords.forgetKeys(retentionDays);
    return { data: {} };
  },
});
