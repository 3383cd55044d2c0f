import * as z from "zod";
import { recordFilter } from "./search.ts";

/** The most records that one call requeues. */
const maxRequeued = 200;

/** Which records that need attention to requeue. */
export const requeueManyInput = recordFilter
  .pick({ platformIds: true, createdAfter: true, createdBefore: true })
  .extend({
    preview: z.boolean().meta({ description: "true counts the records, and changes nothing." }),
    limit: z.int().min(1).max(maxRequeued).default(100),
  });

export const requeuedMany = z
  .object({
    matching: z
      .int()
      .meta({ description: "The number of records that needed attention before the call, up to 10,000." }),
    requeued: z.int(),
    more: z.boolean().meta({ description: "Whether records remain: send the same call again." }),
  })
  .meta({ id: "RequeuedRecords" });
