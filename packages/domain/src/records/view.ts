import * as z from "zod";
import { evidencePurpose } from "../audit/purpose.ts";
import { namedPerson } from "../identity/named-person.ts";
import { moment } from "../input/formats.ts";

/** The number of views, and of openings, that a record shows. */
export const maxRecordViews = 20;

/** Who opened a record, from the audit of its reads. */
export const recordView = z
  .object({
    by: namedPerson.nullable().meta({ description: "Null for a call without a person." }),
    actor: z.string(),
    at: moment.meta({ description: "The actor's last read of that day, accurate to the hour." }),
  })
  .meta({ id: "RecordView" });
export type RecordView = z.output<typeof recordView>;

/** Who opened a record's evidence, and why. */
export const evidenceOpening = z
  .object({ by: namedPerson, purpose: evidencePurpose, at: moment })
  .meta({ id: "EvidenceOpening" });
export type EvidenceOpening = z.output<typeof evidenceOpening>;
