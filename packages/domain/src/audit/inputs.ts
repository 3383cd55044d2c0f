import * as z from "zod";
import { listLimit } from "../input/pagination.ts";
import { platformId } from "../platforms/platform.ts";
import { auditEntry } from "./entry.ts";

export const auditListQuery = z.object({ platformId, limit: listLimit(50) });
export const auditPage = z.object({ entries: z.array(auditEntry) }).meta({ id: "AuditPage" });

/** A seal's number and hexadecimal hash. */
export const sealReference = z.object({
  number: z.int().min(1),
  hash: z.stringFormat("seal-hash", /^[0-9a-f]{64}$/),
});
export type SealReference = z.output<typeof sealReference>;

/** One batch of a verification; `after` is the `next` of the previous batch. */
export const auditVerification = z.object({
  platformId,
  after: z.int().min(0).default(0).meta({ description: "The number of the last verified seal." }),
  known: sealReference
    .optional()
    .meta({ description: "A seal from an earlier report. The chain must still contain it." }),
});

/** The result of one batch. */
export const auditVerified = z
  .object({
    seals: z.int().meta({ description: "The number of seals that this batch verified." }),
    entries: z.int().meta({ description: "The number of entries under these seals." }),
    last: sealReference.nullable().meta({ description: "The last verified seal." }),
    problems: z.array(z.string()).meta({ description: "Empty if the chain is intact." }),
    next: z
      .int()
      .nullable()
      .meta({ description: "The `after` of the next batch; null after the last batch." }),
    unsealed: z
      .int()
      .nullable()
      .meta({ description: "The number of unsealed entries; null before the last batch." }),
  })
  .meta({ id: "AuditVerified" });
export type AuditVerified = z.output<typeof auditVerified>;
