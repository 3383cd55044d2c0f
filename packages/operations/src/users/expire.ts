import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Requests the erasure of users without activity for longer than the retention period (gap G26). */
export const expireUsers = defineOperation({
  ...forWorker,
  id: "users.expire",
  kind: "mutation",
  summary: "Expire inactive users",
  description: "Requests the erasure of up to `limit` users without activity for `days` days.",
  input: z.object({ days: z.int().min(1), limit: z.int().min(1).max(10_000) }),
  output: z.object({ expired: z.int() }),
  example: { input: { days: 365, limit: 5_000 }, output: { expired: 0 } },

  async run({ erasures }, _call, { days, limit }) {
    return { data: { expired: await erasures.requestExpired(days, limit) } };
  },
});
