import {
  explainsRejection,
  Failure,
  noCardNumber,
  settledRecord,
  settleRecordInput,
} from "@cardbridge/domain";
import { observeChange } from "../kyc/observe.ts";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails, exampleSettled } from "./example.ts";
import { findRecord, recordConflict } from "./find.ts";

/** Settles an unsettled record by the provider's decision, as an operator enters it. */
export const settleRecord = defineOperation({
  ...forOperators,
  id: "records.settle",
  kind: "mutation",
  summary: "Settle a record manually",
  description:
    "Settles an unsettled record by a decision that the provider communicated to an operator. A later decision over " +
    "the provider's API replaces it.",
  input: settleRecordInput,
  rules: [noCardNumber, explainsRejection],
  output: settledRecord,
  example: {
    input: {
      kycRecordId: exampleDetails.kycRecordId,
      decision: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d" },
    },
    output: { before: exampleDetails, after: exampleSettled },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // The repository audits in the settling transaction.
  audit: [],

  async run({ kycAdmin, observer }, call, { kycRecordId, decision }) {
    const before = await findRecord(kycAdmin, kycRecordId);
    const change = await kycAdmin.settle(kycRecordId, decision, originOf(call, "records.settle"));
    if (!change) throw new Failure("KYC_RECORD_NOT_FOUND");
    if (change.before.settlement !== "unsettled") {
      throw recordConflict("The record is settled. Only unsettled records can be settled manually.");
    }
    observeChange(observer, change);
    return { data: { before, after: await findRecord(kycAdmin, kycRecordId) } };
  },
});
