import {
  explainsRejection,
  Failure,
  noCardNumber,
  resolvedRecord,
  resolveRecordInput,
} from "@cardbridge/domain";
import { observeChange } from "../kyc/observe.ts";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails, exampleResolved } from "./example.ts";
import { findRecord, recordConflict } from "./find.ts";

/** Resolves an unresolved record with the provider's decision, which an operator enters. */
export const resolveRecord = defineOperation({
  ...forOperators("ops.records.decide"),
  recentSignIn: true,
  id: "records.resolve",
  kind: "write",
  summary: "Resolve a record manually",
  description:
    "Resolves an unresolved record with a decision that the provider communicated to an operator. A later decision " +
    "from the provider's API replaces it.",
  input: resolveRecordInput,
  rules: [noCardNumber, explainsRejection],
  output: resolvedRecord,
  example: {
    input: {
      kycRecordId: exampleDetails.kycRecordId,
      decision: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d" },
    },
    output: { before: exampleDetails, after: exampleResolved },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // The repository audits in the resolving transaction.
  audit: [],

  async run({ kycAdmin, observer }, call, { kycRecordId, decision }) {
    const before = await findRecord(kycAdmin, kycRecordId);
    const change = await kycAdmin.resolve(kycRecordId, decision, originOf(call, "records.resolve"));
    if (!change) throw new Failure("KYC_RECORD_NOT_FOUND");
    if (change.before.resolution !== "unresolved") {
      throw recordConflict("The record is resolved. Only unresolved records can be resolved manually.");
    }
    observeChange(observer, change);
    return { data: { before, after: await findRecord(kycAdmin, kycRecordId) } };
  },
});
