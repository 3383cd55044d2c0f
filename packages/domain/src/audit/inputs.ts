import * as z from "zod";
import { platformId } from "../platforms/platform.ts";

/** A checkpoint's number and hexadecimal hash. */
const checkpointReference = z.object({
  number: z.int().min(1),
  hash: z.stringFormat("checkpoint-hash", /^[0-9a-f]{64}$/),
});
export type CheckpointReference = z.output<typeof checkpointReference>;

/** One batch of a verification; `after` is the `next` of the previous batch. */
export const auditVerification = z.object({
  platformId,
  after: z.int().min(0).default(0).meta({ description: "The number of the last verified checkpoint." }),
  known: checkpointReference
    .optional()
    .meta({ description: "A checkpoint from an earlier report. The chain must still contain it." }),
});

/** The result of one batch. */
export const auditVerified = z
  .object({
    checkpoints: z.int().meta({ description: "The number of checkpoints that this batch verified." }),
    entries: z.int().meta({ description: "The number of entries under these checkpoints." }),
    anchor: checkpointReference.nullable().meta({
      description:
        "The checkpoint from which the verification starts, because the entries before were exported and dropped; null " +
        "if none were.",
    }),
    last: checkpointReference.nullable().meta({ description: "The last verified checkpoint." }),
    problems: z.array(z.string()).meta({ description: "Empty if the chain is intact." }),
    next: z
      .int()
      .nullable()
      .meta({ description: "The `after` of the next batch; null after the last batch." }),
    pending: z
      .int()
      .nullable()
      .meta({ description: "The number of pending entries; null before the last batch." }),
  })
  .meta({ id: "AuditVerified" });
export type AuditVerified = z.output<typeof auditVerified>;
