import { Failure, recordReference, recordRestrictedReasons } from "@cardbridge/domain";
import { forPersons } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { exampleSummary } from "./example.ts";

const { kycRecordId } = exampleSummary;

/** Reads the reasons that only compliance may know. */
export const readRestrictedReasons = defineOperation({
  ...forPersons("ops.compliance"),
  id: "records.restrictedReasons",
  kind: "write",
  summary: "Read a record's restricted reasons",
  description:
    "Reads the reasons of a rejection that only compliance may know. They must not reach the person. The database " +
    "writes an audit entry with each read.",
  input: recordReference,
  rules: [],
  output: recordRestrictedReasons,
  example: {
    input: { kycRecordId },
    output: {
      kycRecordId,
      reasons: [{ reason: "WATCH_LIST_MATCH", observedAt: "2026-01-31T12:00:30.000Z" }],
    },
  },
  errors: ["PERSON_REQUIRED", "KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run({ evidence }, call, input) {
    requirePerson(call);
    const by = originOf(call);
    const data = await evidence.restrictedReasons(input.kycRecordId, by);
    if (!data) throw new Failure("KYC_RECORD_NOT_FOUND");
    return { data };
  },
});
