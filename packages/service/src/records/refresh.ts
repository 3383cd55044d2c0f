import { recordAttempt, recordReference, withoutRestricted } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { runManualAttempt } from "./attempt.ts";
import { exampleDetails, exampleResolved } from "./example.ts";
import { findRecord } from "./find.ts";

/** Queries the outcome of a record at the provider and stores the reply. */
export const refreshRecord = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.refresh",
  kind: "write",
  summary: "Query the provider about a record",
  description:
    "Queries the outcome of a record at the provider and stores the reply. It does not send the submission. A record " +
    "that needs attention still needs it unless the reply resolves the record.",
  input: recordReference,
  rules: [],
  output: recordAttempt,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: {
      before: exampleDetails,
      after: exampleResolved,
      asked: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d", revision: 2 },
      sent: null,
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PROVIDER_PAUSED"],
  // The repository audits the lease in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId }) {
    const before = await findRecord(ports.kycAdmin, kycRecordId);
    const by = originOf(call);
    const { reply, stored } = await runManualAttempt(ports, kycRecordId, { step: "ask" }, by);
    const after = stored ? await findRecord(ports.kycAdmin, kycRecordId) : null;
    return { data: { before, after, asked: withoutRestricted(reply), sent: null } };
  },
});
