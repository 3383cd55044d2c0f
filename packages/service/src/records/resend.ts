import { recordAttempt, recordReference, requiredNotFound, showReply } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails, exampleResolved } from "./example.ts";
import { runManualAttempt } from "./manual-attempt.ts";
import { readRecord, recordConflict } from "./record.ts";

/** Sends an unresolved record's submission again, after repeated not-found replies (gap G14). */
export const resendRecord = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.resend",
  kind: "write",
  summary: "Send a record again",
  description:
    "Queries the provider about an unresolved record. If the provider replies not-found to two queries in succession, " +
    "of which this is the second, the service sends the stored submission again under its reference. Any other reply is " +
    "stored.",
  input: recordReference,
  rules: [],
  output: recordAttempt,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: {
      before: exampleDetails,
      after: exampleResolved,
      asked: { outcome: "not-found", words: "the provider does not know the submission" },
      sent: {
        outcome: "answered",
        subStatus: "approved",
        cardAccountId: "acct_0a1b2c3d",
        revision: 2,
        words: "the provider approved it",
      },
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PROVIDER_PAUSED"],
  // The transactions of the leases audit them.
  audit: [],

  async run(ports, call, { kycRecordId }) {
    const read = () => readRecord(ports, call.platformId, kycRecordId);
    const before = await read();
    if (before.resolution !== "unresolved") {
      throw recordConflict("The record is resolved. Only unresolved records can be sent again.");
    }
    const asked = await runManualAttempt(ports, call, kycRecordId, { step: "ask" });
    const after = asked.record.attempt;
    // Only the latest attempt may send, because a later attempt may already have sent the submission.
    const sent =
      asked.notFound >= requiredNotFound && asked.stored
        ? await runManualAttempt(ports, call, kycRecordId, { step: "send", after })
        : null;
    return {
      data: {
        before,
        after: (sent ?? asked).stored ? await read() : null,
        asked: showReply(asked.reply),
        sent: sent && showReply(sent.reply),
      },
    };
  },
});
