import * as z from "zod";
import { evidenceFile } from "../evidence/submission.ts";
import { proposal } from "../four-eyes/proposal.ts";
import { moment, sha256 } from "../input/formats.ts";
import { storedAttempt } from "../records/attempt.ts";
import { recordDetails } from "../records/record.ts";
import { auditEntry } from "./entry.ts";

/** An audit entry with the proof that a published checkpoint covers it. */
const provenEntry = z.object({
  entry: auditEntry,
  leaf: z
    .string()
    .meta({ description: "The bytes of the entry that the checkpoint covers, in hexadecimal." }),
  checkpoint: z
    .int()
    .nullable()
    .meta({ description: "The number of the checkpoint; null while the entry is pending." }),
  index: z.int().nullable().meta({ description: "The position of the leaf under the checkpoint, from 0." }),
  size: z.int().nullable().meta({ description: "The number of leaves under the checkpoint." }),
  path: z
    .array(sha256)
    .meta({ description: "The hashes from the leaf to the root (RFC 9162, section 2.1.3)." }),
});

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
    audit: z.object({
      platformId: z.string(),
      entries: z.array(provenEntry),
      checkpoints: z
        .array(z.object({ number: z.int(), root: sha256 }))
        .meta({ description: "The checkpoints with a root; compare each with the published one." }),
      since: moment.nullable(),
    }),
  })
  .meta({ id: "CaseFile" });
export type CaseFile = z.output<typeof caseFile>;
