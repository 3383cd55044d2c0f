import * as z from "zod";
import { auditProofs } from "../audit/proofs.ts";
import { evidenceFile } from "../evidence/submission.ts";
import { moment, sha256 } from "../input/formats.ts";
import { proposal } from "../proposals/proposal.ts";
import { storedAttempt } from "../records/attempt.ts";
import { recordDetails } from "../records/record.ts";

/** What happened with a record, without personal data, for a case outside the service. */
export const caseFile = z
  .object({
    format: z.literal("cardbridge-case-file/1"),
    createdAt: moment,
    record: recordDetails,
    attempts: z.array(storedAttempt),
    evidenceHash: sha256.nullable().meta({ description: "Null after the user is erased." }),
    fingerprint: z.string().nullable().meta({ description: "The keyed hash of the fields." }),
    files: z.array(evidenceFile),
    proposals: z.array(proposal),
    audit: auditProofs,
  })
  .meta({ id: "CaseFile" });
export type CaseFile = z.output<typeof caseFile>;
