import { recordAttempt, recordReference, showReply } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails, exampleResolved } from "./example.ts";
import { runManualAttempt } from "./manual-attempt.ts";
import { readRecord } from "./record.ts";

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
      asked: {
        outcome: "answered",
        subStatus: "approved",
        cardAccountId: "acct_0a1b2c3d",
        revision: 2,
        words: "the provider approved it",
      },
      sent: null,
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PROVIDER_PAUSED"],
  // The transaction of the lease audits it.
  audit: [],

  async run(ports, call, { kycRecordId }) {
    const read = () => readRecord(ports, call.platformId, kycRecordId);
    const before = await read();
    const { reply, stored } = await runManualAttempt(ports, call, kycRecordId, { step: "ask" });
    const after = stored ? await read() : null;
    return { data: { before, after, asked: showReply(reply), sent: null } };
  },
});
