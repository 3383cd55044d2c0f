import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { moment, noteText } from "../input/formats.ts";
import { kycRecordId } from "../kyc/record-id.ts";

export const addNoteInput = z.object({
  kycRecordId,
  text: noteText,
  restricted: z
    .boolean()
    .default(false)
    .meta({ description: "Whether only persons with the scope ops.compliance may read the note." }),
});

/** A note to store. */
export interface NewNote {
  noteId: string;
  text: string;
  restricted: boolean;
  actor: string;
  /** The person who wrote it; null for a call without a person. */
  personId: string | null;
}

export const recordNote = z
  .object({
    noteId: z.string(),
    text: z.string(),
    restricted: z.boolean(),
    by: namedPerson.nullable().meta({ description: "Null for a call without a person." }),
    actor: z.string(),
    createdAt: moment,
  })
  .meta({ id: "RecordNote" });
export type RecordNote = z.output<typeof recordNote>;

export const recordNotePage = z
  .object({
    kycRecordId,
    notes: z.array(recordNote).meta({ description: "Oldest first, at most 500." }),
    hidden: z.int().meta({ description: "The number of restricted notes that the caller may not read." }),
  })
  .meta({ id: "RecordNotePage" });
export type RecordNotePage = z.output<typeof recordNotePage>;
