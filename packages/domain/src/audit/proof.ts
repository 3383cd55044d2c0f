import * as z from "zod";
import { moment } from "../input/formats.ts";
import { auditListQuery } from "./list.ts";
import { auditProofs } from "./proofs.ts";

/** The most entries of one proof. */
export const maxProvenEntries = 5_000;

/** The filters of a proof are those of a list. */
export const auditProofQuery = auditListQuery.omit({ limit: true, cursor: true });
export type AuditProofQuery = z.output<typeof auditProofQuery>;

/** Everything that a search finds, each entry with its proof, for use outside the service. */
export const auditProof = z
  .object({
    format: z.literal("cardbridge-audit-proof/1"),
    createdAt: moment,
    query: auditProofQuery.meta({ description: "Each entry matches it." }),
    platforms: z.array(auditProofs).meta({ description: "The platforms with entries that match." }),
    since: moment.nullable().meta({
      description:
        "Entries of these platforms before this time were exported and dropped; null if none were.",
    }),
  })
  .meta({ id: "AuditProof" });
