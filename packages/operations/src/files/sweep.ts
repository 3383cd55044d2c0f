import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Deletes expired files, files of erased users, and remains of aborted uploads. */
export const sweepFiles = defineOperation({
  ...forWorker,
  id: "files.sweep",
  kind: "mutation",
  summary: "Delete expired files",
  description:
    "Deletes up to `limit` files that expired, belong to erased users, or come from aborted uploads.",
  input: z.object({ limit: z.int().min(1).max(1_000) }),
  output: z.object({ swept: z.int() }),
  example: { input: { limit: 100 }, output: { swept: 0 } },

  async run({ files }, _call, { limit }) {
    return { data: { swept: await files.sweep(limit) } };
  },
});
