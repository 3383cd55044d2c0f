import * as z from "zod";
import { listLimit } from "../input/pagination.ts";
import { platformId } from "../platforms/platform.ts";
import { auditEntry } from "./entry.ts";

export const auditListQuery = z.object({ platformId, limit: listLimit(50) });
export const auditPage = z.object({ entries: z.array(auditEntry) }).meta({ id: "AuditPage" });

/** A seal by its number and its hash in hexadecimal digits. */
export const sealReference = z.object({
  number: z.int().min(1),
  hash: z.stringFormat("seal-hash", /^[0-9a-f]{64}$/),
});
export type SealReference = z.output<typeof sealReference>;

/** One batch of a verification; `after` is the `next` of the batch before. */
export const auditVerification = z.object({
  platformId,
  after: z.int().min(0).default(0).meta({ description: "The number of the last seal already verified." }),
  known: sealReference
    .optional()
    .meta({ description: "A seal that was reported earlier: it has to be in the chain still." }),
});

/** What one batch of seals came to. */
export const auditVerified = z
  .object({
    seals: z.int().meta({ description: "How many seals this batch verified." }),
    entries: z.int().meta({ description: "How many entries are under them." }),
    last: sealReference.nullable().meta({ description: "The last of them." }),
    problems: z.array(z.string()).meta({ description: "Empty where the chain holds." }),
    next: z
      .int()
      .nullable()
      .meta({ description: "Send it as `after` to go on; null when this was the last batch." }),
    unsealed: z
      .int()
      .nullable()
      .meta({ description: "How many entries are not sealed yet; null before the last batch." }),
  })
  .meta({ id: "AuditVerified" });
export type AuditVerified = z.output<typeof auditVerified>;
