import { Failure, recordAttempts, recordReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleAttempt, exampleSummary } from "./example.ts";
import { personsAmong } from "./persons.ts";

const { kycRecordId } = exampleSummary;

/** Lists the attempts to resolve a record. */
export const listRecordAttempts = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.attempts",
  kind: "read",
  summary: "List a record's attempts",
  description:
    "Lists the attempts to resolve a record with their durations and outcomes: the first 5 and the last 45. Consecutive " +
    "equal attempts are one entry with their number.",
  input: recordReference,
  rules: [],
  output: recordAttempts,
  example: { input: { kycRecordId }, output: { kycRecordId, attempts: [exampleAttempt], persons: [] } },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run(ports, _call, { kycRecordId }) {
    const attempts = await ports.kycAdmin.attempts(kycRecordId);
    if (!attempts) throw new Failure("KYC_RECORD_NOT_FOUND");
    const actors = attempts.map(({ by }) => by);
    return { data: { kycRecordId, attempts, persons: await personsAmong(ports, actors) } };
  },
});
