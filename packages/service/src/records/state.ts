import { Failure, recordReference, recordState } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleState } from "./example.ts";

/** Reads what changes while a record is open. */
export const readRecordState = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.state",
  kind: "read",
  summary: "Read a record's state",
  description: "Reads what changes while a record is open, for an app that refreshes it. It is not audited.",
  input: recordReference,
  rules: [],
  output: recordState,
  example: { input: { kycRecordId: exampleState.kycRecordId }, output: exampleState },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run({ kycAdmin }, _call, { kycRecordId }) {
    const state = await kycAdmin.state(kycRecordId);
    if (!state) throw new Failure("KYC_RECORD_NOT_FOUND");
    return { data: state };
  },
});
