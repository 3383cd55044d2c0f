import { addNoteInput, Failure, recordNote } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { recordNotes as notes } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPersons } from "../persons/names.ts";
import {
  createdAt,
  exampleNote,
  exampleRecordId,
  insertNote,
  mayReadRestricted,
  prepareNote,
} from "./note.ts";

/** Adds a note to a record. */
export const addRecordNote = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.addNote",
  kind: "write",
  summary: "Add a note to a record",
  description:
    "Adds a note to a record. It is encrypted with the user's data key, and erased with the user. Only callers with " +
    "ops.compliance may add restricted notes.",
  input: addNoteInput,
  rules: [],
  output: recordNote,
  example: { input: { kycRecordId: exampleRecordId, text: exampleNote.text }, output: exampleNote },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId, text, restricted }) {
    if (restricted && !mayReadRestricted(call)) {
      const message = "Restricted notes require the scope ops.compliance.";
      throw new Failure("SCOPE_MISSING", { violations: [{ path: ["restricted"], rule: "scope", message }] });
    }
    const { platformId, person } = call;
    const { ring } = await ports.personalDataKeys();
    const noteId = ports.ids.noteId();
    const personId = person?.personId ?? null;
    const note = { noteId, text, restricted, actor: actorOf(call), personId };
    const stored = await ports.database.asPlatform<{ createdAt: string }>(platformId, async (tx) => {
      const row = await prepareNote(tx, ring, { platformId, kycRecordId }, note);
      const added = tx
        .select({ createdAt })
        .from(notes)
        .where(and(eq(notes.platformId, platformId), eq(notes.id, noteId)));
      return pipelineCommit([insertNote(tx, row), added, audit(tx, call, kycRecordId)], ([, rows]) =>
        requireRow(rows, "note"),
      );
    });
    const nameOf = await namedPersons(ports, [personId]);
    return {
      data: { noteId, text, restricted, by: nameOf(personId), actor: note.actor, ...stored },
    };
  },
});
