import { assignRecordInput, Failure, recordAssignment } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { readNames } from "../persons/names.ts";
import { exampleSummary } from "./example.ts";
import { recordConflict } from "./find.ts";

/** Assigns a record to a person, or releases it. */
export const assignRecord = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.assign",
  kind: "write",
  summary: "Assign a record",
  description:
    "Assigns a record to a person, or releases it. Of two concurrent assignments, the second one is refused and says " +
    "who has the record.",
  input: assignRecordInput,
  rules: [],
  output: recordAssignment,
  example: {
    input: {
      kycRecordId: exampleSummary.kycRecordId,
      assignee: "per_01jexample0000000000000000",
      version: 0,
    },
    output: {
      kycRecordId: exampleSummary.kycRecordId,
      assignee: { personId: "per_01jexample0000000000000000", name: "Ada" },
      version: 1,
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PERSON_NOT_FOUND"],
  // The repository audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId, ...to }) {
    if (to.assignee !== null && (await readNames(ports, [to.assignee])).length === 0) {
      throw new Failure("PERSON_NOT_FOUND");
    }
    const result = await ports.kycAdmin.assign(kycRecordId, to, originOf(call));
    if (!result) throw new Failure("KYC_RECORD_NOT_FOUND");
    const { assigned, assignment } = result;
    if (assigned) return { data: assignment };
    const holder = assignment.assignee;
    const now = holder ? `It is assigned to ${holder.name ?? holder.personId}.` : "It is not assigned now.";
    throw recordConflict(`Another person changed the assignment in between. ${now}`);
  },
});
