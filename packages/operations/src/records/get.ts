import { recordReference, shownRecord } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDue } from "../webhooks/example.ts";
import { exampleDetails } from "./example.ts";
import { findRecord } from "./find.ts";

/** Shows a record with its history and its webhook deliveries, without the submission's data. */
export const showRecord = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.show",
  kind: "read",
  summary: "Show a record",
  description:
    "Shows a record, its next attempt, its history and its webhook deliveries, without the submission's data.",
  input: recordReference,
  rules: [],
  output: shownRecord,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: { ...exampleDetails, deliveries: [exampleDue] },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done"],

  async run({ kycAdmin, webhookEndpoints }, _call, { kycRecordId }) {
    const record = await findRecord(kycAdmin, kycRecordId);
    const deliveries = await webhookEndpoints.ofRecord(record.platformId, kycRecordId);
    return { data: { ...record, deliveries }, platformId: record.platformId, subject: kycRecordId };
  },
});
