import * as z from "zod";
import { moment } from "../input/formats.ts";
import { auditEntry } from "./entry.ts";

const sha256 = z.stringFormat("sha-256", /^[0-9a-f]{64}$/);

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
  index: z
    .int()
    .nullable()
    .meta({ description: "The position of the leaf under the checkpoint, from 0; null without a root." }),
  size: z
    .int()
    .nullable()
    .meta({ description: "The number of leaves under the checkpoint; null without a root." }),
  path: z
    .array(sha256)
    .meta({ description: "The hashes from the leaf to the root (RFC 9162, section 2.1.3)." }),
});

/** A platform's entries about some subjects, with the checkpoints that cover them. */
export const auditProofs = z.object({
  platformId: z.string(),
  entries: z.array(provenEntry),
  checkpoints: z
    .array(z.object({ number: z.int(), root: sha256 }))
    .meta({ description: "The checkpoints with a root; compare each with the published one." }),
  since: moment.nullable().meta({
    description:
      "Entries before this time, which may include some about the record, were exported and dropped; null if none were.",
  }),
});
export type AuditProofs = z.output<typeof auditProofs>;
