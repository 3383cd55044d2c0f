import { Failure, recordReference, recordState } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleState } from "./example.ts";
import { recordConflict } from "./find.ts";

/** Makes workers attempt a record again that needs attention. */
export const requeueRecordManually = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.requeue",
  kind: "write",
  summary: "Requeue a record",
  description:
    "Makes a record that needs attention due now, so that workers attempt it again. They query the provider before they " +
    "send anything.",
  input: recordReference,
  rules: [],
  output: recordState,
  example: { input: { kycRecordId: exampleState.kycRecordId }, output: exampleState },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // The repository audits in its transaction.
  audit: [],

  async run({ kycAdmin }, call, { kycRecordId }) {
    const requeued = await kycAdmin.requeue(kycRecordId, originOf(call));
    if (requeued === false) throw recordConflict("The record does not need attention. Workers attempt it.");
    const state = requeued === null ? null : await kycAdmin.state(kycRecordId);
    if (!state) throw new Failure("KYC_RECORD_NOT_FOUND");
    return { data: state };
  },
});
