import { explainRecord, recordReference, shownRecord } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { deliveriesOfRecord, exampleDue } from "../webhooks/select-deliveries.ts";
import { exampleDetails, exampleNext, exampleView } from "./example.ts";
import { findRecord } from "./find.ts";
import { personsAmong } from "./persons.ts";

/** Reads a record with what to do next, its history, deliveries and views, without the submission's data. */
export const getRecord = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.get",
  kind: "read",
  summary: "Read a record",
  description:
    "Reads a record, what to do next, its history, its webhook deliveries and who opened it lately, without the " +
    "submission's data. A caller's reads of a record are audited once an hour.",
  input: recordReference,
  rules: [],
  output: shownRecord,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: {
      ...exampleDetails,
      next: exampleNext,
      persons: [],
      deliveries: [exampleDue],
      views: [exampleView],
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done"],
  oncePerHour: true,

  async run(ports, _call, { kycRecordId }) {
    const { kycAdmin } = ports;
    const record = await findRecord(kycAdmin, kycRecordId);
    const attempts = (await kycAdmin.attempts(kycRecordId)) ?? [];
    const next = explainRecord(record, attempts);
    const actors = [
      ...record.history.flatMap(({ by, proposedBy }) => [by, proposedBy]),
      ...attempts.map(({ by }) => by),
    ];
    const named = await personsAmong(ports, actors);
    const deliveries = await deliveriesOfRecord(ports, record.platformId, kycRecordId);
    const views = await kycAdmin.views(record.platformId, kycRecordId);
    return {
      data: { ...record, next, persons: named, deliveries, views },
      platformId: record.platformId,
      subject: kycRecordId,
    };
  },
});
