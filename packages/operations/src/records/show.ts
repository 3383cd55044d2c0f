import { recordDetails, recordReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleDetails } from "./example.ts";
import { findRecord } from "./find.ts";

/** Shows a record with its history, without the submission's data. */
export const showRecord = defineOperation({
  ...forOperators,
  id: "records.show",
  kind: "query",
  summary: "Show a record",
  description: "Shows a record, its next attempt and its history, without the submission's data.",
  input: recordReference,
  rules: [],
  output: recordDetails,
  example: { input: { kycRecordId: exampleDetails.kycRecordId }, output: exampleDetails },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done"],

  async run({ kycAdmin }, _call, { kycRecordId }) {
    const record = await findRecord(kycAdmin, kycRecordId);
    return { data: record, platformId: record.platformId, subject: kycRecordId };
  },
});
