import { Failure, recordNotePage, recordReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleNote, exampleSummary } from "./example.ts";

const { kycRecordId } = exampleSummary;

/** Lists the notes about a record. */
export const listRecordNotes = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.notes",
  kind: "read",
  summary: "List a record's notes",
  description: "Lists the notes about a record. Only callers with ops.compliance read restricted notes.",
  input: recordReference,
  rules: [],
  output: recordNotePage,
  example: { input: { kycRecordId }, output: { kycRecordId, notes: [exampleNote], hidden: 0 } },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run({ recordNotes }, call, { kycRecordId }) {
    const mayReadRestricted = call.kind === "operator" || call.scopes.has("ops.compliance");
    const found = await recordNotes.list(kycRecordId, mayReadRestricted);
    if (!found) throw new Failure("KYC_RECORD_NOT_FOUND");
    return { data: { kycRecordId, ...found } };
  },
});
