import { Failure, noCardNumber, settledRecord, settleRecordInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails, exampleSettled } from "./example.ts";
import { findRecord, recordConflict } from "./find.ts";

/** Settles an unsettled record by what an operator knows of the provider's decision. */
export const settleRecord = defineOperation({
  ...forOperators,
  id: "records.settle",
  kind: "mutation",
  summary: "Settle a record manually",
  description:
    "Settles an unsettled record by a decision that the provider told an operator. A later report of the provider " +
    "itself wins.",
  input: settleRecordInput,
  rules: [noCardNumber],
  output: settledRecord,
  example: {
    input: {
      kycRecordId: exampleDetails.kycRecordId,
      decision: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d" },
    },
    output: { before: exampleDetails, after: exampleSettled },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // The repository audits in the transaction that settles.
  audit: [],

  async run({ kycAdmin }, call, { kycRecordId, decision }) {
    const before = await findRecord(kycAdmin, kycRecordId);
    const change = await kycAdmin.settle(kycRecordId, decision, originOf(call, "records.settle"));
    if (!change) throw new Failure("KYC_RECORD_NOT_FOUND");
    if (change.before.settlement !== "unsettled") {
      throw recordConflict("The record is settled: only an unsettled one is settled manually.");
    }
    return { data: { before, after: await findRecord(kycAdmin, kycRecordId) } };
  },
});
