import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Erases users with a requested erasure and no unsettled record (gap G26). */
export const eraseDueUsers = defineOperation({
  ...forWorker,
  id: "users.eraseDue",
  kind: "mutation",
  summary: "Erase users",
  description: "Erases up to `limit` users with a requested erasure and no unsettled record.",
  input: z.object({ limit: z.int().min(1).max(1_000) }),
  output: z.object({ erased: z.int() }),
  example: { input: { limit: 100 }, output: { erased: 0 } },

  async run({ erasures, observer }, _call, { limit }) {
    const erased = await erasures.eraseDue(limit);
    for (let count = 0; count < erased; count += 1) observer.observe("user_erased");
    return { data: { erased } };
  },
});
