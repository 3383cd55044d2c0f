import { addNoteInput, Failure, recordNote } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { actorOf, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleNote, exampleSummary } from "./example.ts";

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
  example: {
    input: { kycRecordId: exampleSummary.kycRecordId, text: exampleNote.text },
    output: exampleNote,
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // The repository audits in its transaction.
  audit: [],

  async run({ recordNotes, ids }, call, { kycRecordId, text, restricted }) {
    if (restricted && call.kind !== "operator" && !call.scopes.has("ops.compliance")) {
      const message = "Restricted notes require the scope ops.compliance.";
      throw new Failure("SCOPE_MISSING", { violations: [{ path: ["restricted"], rule: "scope", message }] });
    }
    const personId = call.person?.personId ?? null;
    const note = { noteId: ids.noteId(), text, restricted, actor: actorOf(call), personId };
    return { data: await recordNotes.add(kycRecordId, note, originOf(call)) };
  },
});
